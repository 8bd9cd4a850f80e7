/**
 * The conformance table as a document: how it is written, and how it is read back.
 * @module
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { LACKS, type RuntimeName } from "../../support/topic.ts";
import { writeForeign } from "./foreign.ts";
import { ANSWERS, type Probe, REQUESTS, STREAMS } from "./probes.ts";

/** The runtimes, in the order of the columns. */
export const RUNTIMES: readonly RuntimeName[] = ["bun", "deno", "node", "worker"];

/** The document. */
export const FILE = fileURLToPath(new URL("../../../docs/conformance.md", import.meta.url));

/** What was measured: behaviour → runtime → result. */
export type Results = Map<string, Map<RuntimeName, string>>;

const SECTIONS: readonly { title: string; probes: readonly Probe[] }[] = [
  { title: "Requests", probes: REQUESTS },
  { title: "Responses", probes: ANSWERS },
  { title: "Streams and connections", probes: STREAMS },
];

/** Every row. */
export const PROBES: readonly Probe[] = SECTIONS.flatMap(({ probes }) => probes);

/** The document of these results. */
export function writeDocument(results: Results): string {
  const sections = SECTIONS.map(({ title, probes }) => {
    const rows = probes.map(({ behaviour }) => {
      const cells = RUNTIMES.map((runtime) => results.get(behaviour)?.get(runtime) ?? "");
      return `| ${[behaviour, ...cells].join(" | ")} |`;
    });
    const head = ["| | Bun | Deno | Node | Workers |", "| --- | --- | --- | --- | --- |"];
    return [`## ${title}`, "", ...head, ...rows, ""].join("\n");
  });
  return [PREFACE, ...sections, writeForeign(), writeLacks(), REASONS].join("\n");
}

/** What the tests leave out, because the runtime has nothing of the kind. */
function writeLacks(): string {
  const entries = Object.entries(LACKS.worker).map(([capability, reason]) =>
    `- **No ${capability.replace(/^an? /, "")}:** ${reason}.`
  );
  return ["## What a Worker does not have", "", ...entries, ""].join("\n");
}

/** The results that stand in the document. */
export function readDocument(): Results {
  const results: Results = new Map();
  for (const line of readFileSync(FILE, "utf8").split("\n")) {
    const [behaviour = "", ...cells] = line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim());
    results.set(behaviour, new Map(RUNTIMES.map((runtime, index) => [runtime, cells[index] ?? ""])));
  }
  return results;
}

const PREFACE = `# Conformance

This page shows what reaches the target and what comes back, measured over sockets on each runtime.
\`test/conformance/table.test.ts\` compares it with the running proxy; this updates it: \`CONFORMANCE=write npx vitest run --config vitest.all.config.ts --project conformance table\`.
The Workers column is measured in workerd alone. Cloudflare's edge in front of it may change more.
`;

const REASONS = `## Why some cells differ

The command has an HTTP/1.1 server of its own on Bun, Deno and Node, so what is sent arrives. In Workers, and in a server of your
own, that server decides.

- **Hosts:** two Host lines or a malformed one get a 400, and so does an absolute address with another host than Host. On Workers an empty one and one beyond ASCII do, too.
- **Addresses beyond ASCII** must be UTF-8 (else a 400), and go out percent-encoded. Workers take a malformed \`xn--a\`, others refuse it.
- **HTTP/1.0 callers** see a truncated body as a reset. Deno cannot reset a connection, so there it looks like the end of the body.
- **\`OPTIONS *\`** and \`OPTIONS\` with \`Max-Forwards: 0\` are answered by the proxy.
- **Size of request headers:** an address may have 64 KiB, and so may all fields together. Larger ones get a 414 or 431.
  \`/__proxy__/?host=\` accepts 1 MiB of fields, so that a browser with 180 cookies of 4 KB can clear them there; workerd
  accepts about 500 KB, at every path. A request may have 1,000 fields.
- **Malformed request headers** get a 400, and the connection ends: bare line feeds, folded fields, white space before a colon,
  control bytes, both a length and chunks, several lengths, a coding other than \`chunked\`, any coding in HTTP/1.0.
- **Slow callers:** request headers have 15 seconds once they have begun, and so has a TLS handshake from its connection on. A connection without a
  request is closed after 75 seconds. Each is closed itself, its descriptor included.
- **Requests that arrive together** on one connection (pipelining) are answered in order. After 32 of them, or 5 ms, others have their
  turn.
- **Callers and targets that take nothing:** if bytes wait for one and the system takes none of them for \`IDLE_TIMEOUT_MS\` (at most a
  quarter more), its connection is reset and the other side ends too, WebSockets and event streams included. A target of an upload gets
  a 504 for it. The kernel takes bytes in steps of some 30 KB, on loopback of up to 2 MB: a slower caller counts as one that takes nothing.
- **Responses that come before the upload is over** reach the caller, also where the target closes or resets its connection behind them
  (RFC 9112 §9.5). The rest of the upload is read and dropped. Callers that write all before they read get the refusals of the proxy
  itself, too: a connection that ends is read for half a minute while its caller writes.
- **Callers that close their side** (\`nc -N\`) have left, as for nginx and Go's proxy: what is not answered yet gets no response.
- **\`Expect: 100-continue\`** is asked of the target by the command, and answered when the body is wanted elsewhere. Who sends the body without waiting needs none, and keeps
  the connection (RFC 9110 §10.1.1). Other expectations are ignored.
- **Reason phrases** pass as they are. Workers pass on ASCII phrases. **Control bytes** in a response's header are a 502. **\`Date\`** is added where a target sends none (RFC 9110 §6.6.1). A gateway that copies **\`CDN-Loop\`** into a new request to the proxy gets a 508.
- **Repeated fields** stay separate lines, except several lines of \`Cookie\` in a request, which become one (RFC 9113 §8.2.3). Workers join
  them with a comma, which means the same (RFC 9110 §5.3), except \`Set-Cookie\`.
- **WebSockets** are tunnelled, so frames, compression and pings pass unchanged. A message may have 64 MiB as it arrives, in one
  or several frames, compressed or not. A larger one closes both sides with 1009. Workers pass frames on without that limit. A page of another site, unless \`CORS_ORIGINS\` lists it, gets a 403 for one to \`TARGET\`.
- **WebSockets, silent callers:** Bun and Deno have no TCP keep-alive here, so the proxy pings a caller that is silent for a minute
  or two. The target sees the pong. Without a pong for another minute, both sides are closed.
- **WebSockets that are dropped:** the other side's connection ends (it is not reset, so that what was passed on still arrives)
  without a Close frame: browsers tell of 1006, not clean (RFC 6455 §7.1.5). Codes of the proxy's own are 1001 when it stops, and
  1009. A target that breaks the protocol gets 1002 or 1007 where messages are relayed, and the caller sees it dropped.
- **\`Upgrade\` to other protocols** gets a 501 that names the first of them. Other versions of HTTP, and TLS, are ignored, because
  their callers go on without; so is \`Upgrade\` without \`Connection: upgrade\`, and over HTTP/1.0 (RFC 9110 §7.8), which workerd,
  \`Bun.serve\` and \`Deno.serve\` do not report.
- **WebSockets, early bytes:** what a caller sends before the 101 has come back waits, and is passed on behind it. If the handshake
  is refused, such bytes are no request: the connection ends with the response, unless that is a 401 and none have come.
- **NTLM and Negotiate** log a connection in, not a request (RFC 4559 §6). A connection to a target where one of them was seen
  belongs to the caller's connection: its next requests and its WebSocket go over it, one at a time, nobody else's do, and it ends
  with it. A request that comes while another is on it goes over a connection without the login. A caller's connection holds
  eight of them at most.
- **Connections that the target is just closing:** GET, HEAD and OPTIONS without a body go out once more, over a fresh connection; other
  requests get a 502, because nothing else is sent twice. (On Deno a POST may meet such a connection, if the process was busy.)
  The proxy keeps connections for 3 to 4 seconds. Servers keep theirs longer. It keeps them shorter if \`Keep-Alive\` says so.
- **Targets with several addresses:** they are tried in turn, and so are the two families (RFC 8305). An address that is silent for 250 ms is
  joined by the next. On Node, and by https on Deno, the next takes its place.
- **Bodies that end with a TLS connection:** an end without \`close_notify\` counts as a normal end, because no runtime reports the
  difference (RFC 9112 §9.8). A reset is detected, also where a write met it first. Such an end is never clean, so a response without
  a length that a target ends by a reset right behind its close may look cut. With an https target through an https proxy that
  happens on Bun.
- **TLS before 1.2**, which \`minVersion\` in the table allows: Bun and Node speak it. Deno speaks 1.2 and 1.3 alone, so an entry with \`TLSv1\` or
  \`TLSv1.1\` stops the start there. Where a handshake is cut short without a word, as some such targets do, no runtime can tell why.
- **Ambiguous framing of a response** gets a 502: two lengths (even equal ones), a length beside chunks, a coding other than
  \`chunked\`, folded fields, white space before a colon. Two readers could see two different ends (RFC 9112 §11).
  A response with more than 1,000 fields or 64 KiB of fields gets a 502 too.
- **Fragments:** the proxy drops everything after a \`#\` in an address. No client sends one (RFC 9112 §3.2).
- **Followed redirects** (\`url\`, \`arg\`): cookies that a redirect sets reach neither the next hop nor the caller. If you need them, use \`"redirect": "manual"\` or a host selector.
- **Out of file descriptors:** on Deno the proxy accepts again after 500 ms and closes idle connections.
- **Workers, paths:** workerd's \`fetch\` parses the address as a URL. It resolves dot segments and encodes \`'\` in a query and
  \`^\`. Its server refuses \`"\`, \`<\`, \`>\`, \`{\`, \`}\` and backquotes.
- **Workers, methods:** workerd knows a fixed list. Every other method gets a 501, also in an \`arg\`. A GET has no body.
- **Workers, header fields:** workerd reads and writes values as UTF-8; invalid bytes become U+FFFD. It drops known fields that are
  empty, joins several lines of \`Cookie\` with a comma, and adds a length to requests other than GET and HEAD without a body.
- **Workers, codings:** \`Accept-Encoding\` goes out as the caller sent it, and bytes pass unchanged. Cloudflare's edge is said to
  overwrite \`Accept-Encoding\`.
- **Workers, chunks:** workerd reads over all that stands behind the size of a request's chunk, well-formed or not. What goes on has chunks
  of its own.
- **Workers, errors:** every failure of a target is \`connection_terminated\`, because workerd reports no more. A truncated response
  or upload is cut on the other side too.
- **Workers, clients that close the connection:** workerd alone notices that when it writes. Until then the request to the target
  goes on.
- **Trailers** are forwarded by the command and, the proxy embedded, on \`node:http\` and \`node:http2\` of Bun, Deno and Node; Bun.serve,
  Deno.serve and Workers have none. 1xx responses are forwarded by the command and over HTTP/2: no other server passes them on.
  Capture shows those of targets all the same; on Workers it shows none, because workerd tells of none, and no capture begins by an open console.
- **gRPC** over HTTP/2 in front passes to targets that speak it in HTTP/1.1 chunks: streams go both ways at once, and \`grpc-status\` comes as a
  trailer. The proxy speaks no HTTP/2 to targets, so ordinary gRPC servers can't be reached. A request with a length has no trailers.
- **Deno, TLS sessions:** \`node:tls\` keeps them itself, by name and way to check. An entry with \`pin\` or \`minVersion\` may resume one of
  another entry of the same host that has neither \`ca\`, \`cert\` nor \`insecure\`; the pin is compared again.
- **Names of fields** keep their letters and order on the command's own server, and the letters on \`node:http\`. Bun.serve, Deno.serve, HTTP/2 and
  Workers have lower case; what the proxy adds is in lower case everywhere.
- **Workers, WebSockets:** workerd joins both sides itself, and only where \`Upgrade\` names no other protocol beside them.

## In a server of your own

With \`Bun.serve\`, \`Deno.serve\`, \`deno serve\` and \`node:http\` the proxy sees what that server passes on:

- **Callers that take nothing:** their request to the target ends after \`IDLE_TIMEOUT_MS\`, and on \`node:http\` their connection
  too. \`Bun.serve\` and \`Deno.serve\` keep it until the caller leaves, or until Bun's \`idleTimeout\` is over. A body that is whole is left to
  that server.
- **Bun, paths:** \`Bun.serve\` parses the request target as a URL: it resolves dot segments, encodes \`'\` in a query and \`^ " < > { }\`,
  and invalid UTF-8 becomes U+FFFD.
- **Bun, lengths:** \`Bun.serve\` sends streams chunked. Bodies up to 256 KiB keep their length, unless they pause for 200 ms.
- **Bun, requests:** an upload with trailers gets a 400 (bun#32887). It drops requests that arrive in one write while the first is in
  flight, closes the connection on methods that it does not know, and drops the rest of an upload once a response is complete. With
  \`node:http\` an upgrade behind a request in flight on its connection gets a 400.
- **Bun, responses:** \`Bun.serve\` keeps the headers until the first byte of the body. The reason phrase is the standard one, or \`HM\`. With \`node:http\`, all lines of a name have the letters of the first, and HTTP/1.0 gets \`close\`.
- **Bun and Deno, GET with a body:** their servers drop the body, so the proxy refuses the request instead of losing it.
- **Bun and Deno, absolute addresses:** they hide its host, so Host decides. On Deno a request without Host has no host.
- **Deno, uploads:** \`Deno.serve\` (2.8.3 to 2.9.5) closes the caller's connection after each body that did not arrive with its headers
  (deno#36657), and reads no more of a request once its response has begun (deno#36624). So a response waits until the upload is complete
  or has paused for two seconds. Refusals and redirects do not wait. Both are fixed in 2.9.6.
- **Deno, headers:** \`Deno.serve\` answers 400 to headers above 64 KiB, to \`Connection: Upgrade\` beside a length, and has no time limit for
  headers. It reports \`*\` as \`/*\`, accepts bare line feeds, and sends 205 and 304 without any length.
- **Deno, WebSockets** of \`deno serve\` are joined by \`Deno.upgradeWebSocket\`, message by message and without extensions. Deno answers pings and
  Close frames itself, and can neither stop reading nor cut a connection: more than 16 MiB that wait for the target close both sides with
  1013; a caller whose target is gone without a Close frame gets 1014; one that takes nothing, or answers no Close frame, keeps its connection
  until it leaves; and a caller that sends on while it is closed may see 1006. Deno (2.9) joins the fragments of a message in memory without a limit.
- **NTLM and Negotiate:** \`fetchvia/node\`, \`/connect\` and \`/vite\` know which connection a request came by; all streams of one of
  HTTP/2 share its logins. \`Bun.serve\`, \`Deno.serve\` and \`proxy.handle\` do not tell: there a connection with a login ends with its
  response, so NTLM, which takes two requests, does not succeed. \`proxy.fetch\` shares connections, and answers such logins with 501.
- **Deno, HTTP/2:** a caller that ends a session with GOAWAY, as clients do, may end the whole process (deno#36788, 2.9.5 and 2.9.6), with the
  proxy or without. Until that is mended, let no stranger reach \`node:http2\` on Deno; the command speaks HTTP/1.1, and is safe.
- **HTTP/2, malformed requests:** what \`node:http2\` refuses (upper case, fields of a connection, a wrong length) ends the stream, on Deno the
  connection; a field with a line break in its value is dropped. \`Expect: 100-continue\` is answered before the target is asked. Fields of responses whose names have more than 4,095 bytes are dropped: Bun can't send them.
- **Node, methods:** its parser refuses methods that are not registered. \`node:http\` itself answers an \`Expect\` other than \`100-continue\` with 417. **\`Upgrade: h2c\`
  beside a body in chunks** is not answered by Node 26 and Deno if the body is empty, ends the connection on Deno if it comes later, and gets a 500 on Bun if a request follows in the same write.
`;
