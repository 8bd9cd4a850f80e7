/**
 * The conformance table as a document: how it is written, and how it is read back.
 * @module
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { LACKS } from "../../support/capabilities.ts";
import type { RuntimeName } from "../../support/proxy.ts";
import { ANSWERS, type Probe, REQUESTS, STREAMS } from "./probes.ts";

/** The runtimes, in the order of the columns. */
export const RUNTIMES: readonly RuntimeName[] = ["bun", "deno", "node", "worker"];

/** The document. */
export const FILE = fileURLToPath(new URL("../../../docs/conformance.md", import.meta.url));

/** What was measured: behaviour → runtime → result. */
export type Results = Map<string, Map<RuntimeName, string>>;

const SECTIONS: readonly { title: string; probes: readonly Probe[] }[] = [
  { title: "Requests", probes: REQUESTS },
  { title: "Answers", probes: ANSWERS },
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
  return [PREFACE, ...sections, writeLacks(), REASONS].join("\n");
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
\`test/conformance/table.test.ts\` compares it with the running proxy. To update it, run
\`CONFORMANCE=write npx vitest run --project runtimes table\`. The Workers column is measured in workerd alone. Cloudflare's edge
in front of it may change more.
`;

const REASONS = `## Why some cells differ

- **Bun, paths:** \`Bun.serve\` parses the request target as a URL before the proxy sees it. Only raw sockets could pass it on as
  sent.
- **Bun, lengths:** \`Bun.serve\` sends every stream chunked. Bodies up to 256 KiB are buffered first, so they keep their length. A
  body that pauses for 200 ms is streamed.
- **Bun, request trailers:** \`Bun.serve\` reads them as the next request and answers 400, although the target already has the
  body (bun#32887).
- **Bun, addresses:** dot segments in a path are resolved before the proxy sees it, a backslash becomes a slash, and invalid UTF-8
  becomes U+FFFD. Deno refuses invalid UTF-8 with 400. Node refuses every byte beyond ASCII.
- **Hosts:** two Host lines or a malformed one get a 400. On Node an absolute address with another host does too. The servers of
  Bun and Deno hide that address, so Host decides. On Deno a request without Host has no host; it never counts as local.
- **HTTP/1.0 callers** see a truncated body as a reset. \`Deno.serve\` closes in order, which looks like the end of the body.
- **\`OPTIONS *\`** and \`OPTIONS\` with \`Max-Forwards: 0\` are answered by the proxy. \`Bun.serve\` refuses \`*\` with 400
  itself. \`Deno.serve\` reports \`*\` as \`/*\`, so the proxy answers that path too.
- **Number of request fields:** Deno's server accepts about 126, Bun's about 198.
- **Bun, response headers:** \`Bun.serve\` holds them back until the first byte of the body.
- **Bun and Deno, GET with a body:** their servers drop the body, so the proxy refuses the request instead of losing it.
- **Bun, pipelining:** \`Bun.serve\` drops requests that arrive in one write while the first is in flight.
- **Node and Bun, unregistered methods:** their parsers know a fixed list. As \`method\` of an \`arg\`, every token works.
- **Deno, long addresses:** \`Deno.serve\` answers 400 itself and closes the connection.
- **Deno, 205 and 304:** \`Deno.serve\` sends them without any length. A 205 on a kept connection does not end.
- **Deno, uploads:** \`Deno.serve\` (2.8.3 to 2.9.5) closes the caller's connection after each body that did not arrive with its
  headers (deno#36657, fixed in 2.9.6).
- **Deno, responses during an upload:** once a response has begun, \`Deno.serve\` (2.8.3 to 2.9.5) reads no more of the request
  (deno#36624, fixed in 2.9.6). So a response waits until the upload is complete or has paused for two seconds. Bytes that come
  later are lost. Refusals and redirects do not wait.
- **Bun, responses before the end of an upload:** once a response is complete, \`Bun.serve\` (1.4) drops the rest of the upload.
- **Deno, offers of another protocol:** \`Deno.serve\` itself answers an empty 400 to a request with \`Connection: Upgrade\` and any
  \`Content-Length\`, even 0. Java's \`HttpClient\` sends both with every request (\`Upgrade: h2c\`) unless it is set to
  \`HTTP_1_1\`.
- **Request bodies that end early:** a caller that closes its side mid-upload gets a 400 from Node's server, the headers of a 499 on
  Deno, and nothing on Bun. \`Bun.serve\` accepts a chunked body that lacks only its last empty line.
- **\`Expect\`:** \`Bun.serve\` sends a 100 only if \`100-continue\` is in lower case. Other expectations are dropped.
- **Size of request headers:** an address may have 64 KiB, and so may all fields together. Larger ones get a 414 or 431. Bun and
  Node accept 1 MiB of fields at \`/__proxy__/?host=\`, so that a browser with 180 cookies of 4 KB can clear them there.
  \`Deno.serve\` answers 400 to all headers above 64 KiB, so such a browser must clear the cookies itself. workerd accepts about
  500 KB.
- **Malformed request headers:** \`Deno.serve\` accepts bare line feeds between fields. Node accepts a request line without a
  version. The forwarded request is always well-formed.
- **Reason phrases:** \`Bun.serve\` and \`Deno.serve\` write the standard phrase. For a status without one, such as 499, Bun writes
  \`HM\` and Deno nothing. Workers pass on ASCII phrases.
- **Repeated fields** are joined with a comma, which means the same (RFC 9110 §5.3). \`Set-Cookie\` is not joined.
- **WebSockets:** Node and Deno tunnel them, so frames, compression and pings pass unchanged. Bun relays messages: fragments are
  joined, nothing is compressed towards the target, and the proxy answers pings. A message may have 64 MiB as it arrives, in one
  or several frames, compressed or not. A larger one closes both sides with 1009. Workers pass frames on without buffering and
  without that limit.
- **WebSockets, pings:** on Bun a target that sends pings but reads nothing gets, once it reads, the answer to its last ping. Deno
  has no TCP keep-alive setting, so the proxy pings a caller that is silent for a minute or two. The target sees the pong.
  Without an answer for another minute, both sides are closed.
- **Deno, WebSocket connections** come from \`Deno[Deno.internal].upgradeHttpRaw\`, because \`Deno.upgradeWebSocket\` (2.9) joins
  fragments without a limit. A Deno without that function answers handshakes with 501. A 101 with more than 13 fields loses the
  last ones. Deno cannot half-close a connection, so a caller has one second to answer a Close frame.
- **WebSockets over HTTP/1.0:** Node ignores \`Upgrade\` there (RFC 9110 §7.8). The other servers do not report the version, so they
  treat the handshake like any other.
- **Deno, handshakes with a length:** with \`Upgrade\`, \`Deno.serve\` itself answers a \`Content-Length\` (even 0) or a
  \`Transfer-Encoding\` with an empty 400.
- **Bun and Deno, stalled callers:** a caller that stops reading costs 0.9 MiB on Bun (a bare relay with its \`fetch\`: 1.8), 0.2 to
  1.2 on Deno and 0.1 on Node. The proxy itself keeps part of the last chunk, and chunks are large on Bun.
- **Connections that the target is just closing:** a request on one gets a 502, whatever its method, because nothing is sent twice.
  The proxy keeps connections for 3 to 4 seconds. Servers keep theirs longer. It keeps them shorter if \`Keep-Alive\` says so.
- **Bodies that end with a TLS connection:** an end without \`close_notify\` counts as a normal end, because no runtime reports the
  difference (RFC 9112 §9.8). A reset is detected.
- **Ambiguous framing of a response** gets a 502: two lengths (even equal ones), a length beside chunks, a coding other than
  \`chunked\`, folded fields, white space before a colon, bare line feeds. Two readers could see two different ends (RFC 9112 §11).
  A response with more than 1,000 fields or 64 KiB of fields gets a 502 too.
- **Fragments:** the proxy drops everything after a \`#\` in an address, like \`Bun.serve\`. No client sends one (RFC 9112 §3.2).
- **Followed redirects** (\`url\`, \`arg\`): cookies that a redirect sets reach neither the next hop nor the caller. If you need them,
  use \`"redirect": "manual"\` or a host selector.
- **Bun, HTTP/1.0:** \`Bun.serve\` closes the connection after each response.
- **Deno, slow headers:** \`Deno.serve\` has no time limit for headers and idle connections (Bun 12 s, Node 30 s). If others can
  reach the proxy, put a server in front of it.
- **Out of file descriptors:** Deno's listener fails. The proxy reopens it after 500 ms and closes idle connections. \`deno serve\`
  exits. \`Bun.serve\` (1.4) spins until callers leave.
- **Workers, paths:** workerd's \`fetch\` parses the address as a URL. It resolves dot segments and encodes \`'\` in a query and
  \`^\`. Its server refuses \`"\`, \`<\`, \`>\`, \`{\`, \`}\` and backquotes.
- **Workers, methods:** workerd knows a fixed list. Every other method gets a 501, also in an \`arg\`. A GET has no body.
- **Workers, header fields:** workerd reads and writes values as UTF-8; invalid bytes become U+FFFD. It drops known fields that are
  empty, joins several lines of \`Cookie\` with a comma, and adds a length to a DELETE without a body.
- **Workers, codings:** \`Accept-Encoding\` goes out as the caller sent it, and bytes pass unchanged. Cloudflare's edge is said to
  overwrite \`Accept-Encoding\`.
- **Workers, errors:** every failure of a target is \`connection_terminated\`, because workerd reports no more. A truncated response
  or upload is cut on the other side too.
- **Workers, clients that close the connection:** workerd alone notices that when it writes. Until then the request to the target
  goes on.
- **Workers, WebSockets:** workerd joins both sides itself. If the target breaks off, the caller gets 1006.
- **1xx responses and trailers** are not forwarded: no server here can send them from a \`Response\`.
`;
