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

What reaches the target and what comes back, measured over sockets on each runtime. The test that compares this page with
the running proxy is \`test/conformance/table.test.ts\`; \`CONFORMANCE=write npx vitest run --project runtimes table\` writes
it anew. The column of Workers is that of workerd run alone; Cloudflare's edge in front of it may change more.
`;

const REASONS = `## Why some cells differ

- **Bun, paths:** \`Bun.serve\` parses the request target as a URL before the proxy sees it. Raw sockets would be needed to
  pass it on as sent.
- **Bun, lengths:** \`Bun.serve\` sends every stream chunked. Bodies of up to 256 KiB are read first and keep their length,
  as long as they keep coming; a body that pauses for 200 ms is streamed.
- **Bun, trailers of a request:** \`Bun.serve\` takes them for a next request and answers 400, though the target has got the
  body by then (bun#32887).
- **Bun, addresses:** in a path, dot segments are resolved before the proxy looks at it, a backslash is a slash, and bytes
  that are no UTF-8 become U+FFFD. Deno and Node refuse bytes beyond ASCII that are no UTF-8 with 400, Node all of them.
- **Hosts:** two Host lines, or one that is malformed, are a 400; so is an absolute address of another host on Node. Bun's and
  Deno's servers do not show that one, and Host decides. On Deno a request without Host is one of no host, never a local one.
- **Callers of HTTP/1.0** see a body that breaks off as a reset. \`Deno.serve\` closes in order, which looks like its end.
- **\`OPTIONS *\`** and \`OPTIONS\` with \`Max-Forwards: 0\` are answered here; \`Bun.serve\` refuses \`*\` with 400 itself.
  \`Deno.serve\` gives \`/*\` for \`*\`, so that path is answered here too.
- **Number of fields in a request:** Deno's server takes about 126, Bun's about 198.
- **Bun, heads:** \`Bun.serve\` holds the header lines back until the first byte of the body.
- **Bun and Deno, GET with a body:** their servers drop it, so the proxy refuses it instead of losing it.
- **Bun, pipelining:** \`Bun.serve\` drops requests that come in one write while the first is on its way.
- **Node and Bun, unregistered methods:** their parsers know a list; as \`method\` of an \`arg\` every token goes out.
- **Deno, long addresses:** \`Deno.serve\` answers 400 itself and closes.
- **Deno, 205 and 304:** \`Deno.serve\` sends them without any length; a 205 on a connection that stays open does not end.
- **Deno, uploads:** \`Deno.serve\` (2.8.3 to 2.9.5) closes the connection of a caller behind every body that did not come
  with its head (deno#36657, mended in 2.9.6).
- **Deno, answers during an upload:** once an answer has begun, \`Deno.serve\` (2.8.3 to 2.9.5) reads no more of the request
  (deno#36624, mended in 2.9.6). There an answer waits until the upload is over, or has stood still for two seconds; what is
  sent later never arrives. Refusals and redirects do not wait.
- **Bun, answers before an upload:** once an answer is out whole, \`Bun.serve\` (1.4) gives the rest of the upload up.
- **Deno, offers of another protocol:** \`Deno.serve\` answers an empty 400 itself where a request has
  \`Connection: Upgrade\` and any \`Content-Length\`, even of 0. Java's \`HttpClient\` sends both with every request (\`Upgrade: h2c\`)
  unless it is told \`HTTP_1_1\`.
- **Uploads that break off:** a caller who closes its side in the middle of one gets a 400 from Node's server, the head of a
  499 on Deno and nothing on Bun. \`Bun.serve\` takes a chunked one for whole that lacks nothing but the last empty line.
- **\`Expect\`:** \`Bun.serve\` sends a 100 only where \`100-continue\` is in lower case. Other expectations are dropped.
- **Heads of requests:** an address may have 64 KiB, and so may all fields together; past that it is 414 or 431. Bun and Node
  take a MiB of fields at \`/__proxy__/?host=\`, so that a browser with 180 cookies of 4 KB for the proxy gets rid of them there.
  \`Deno.serve\` answers 400 to every head of more than 64 KiB; such a browser must clear the cookies itself. workerd takes
  about 500 KB.
- **Malformed heads:** \`Deno.serve\` takes bare line feeds between fields, Node a request line without a version. What goes
  on is whole.
- **Reason phrases:** \`Bun.serve\` and \`Deno.serve\` write the standard one. For a status that has none, as 499, Bun
  writes \`HM\` and Deno nothing. Workers hand on those of ASCII.
- **Repeated fields** are joined with a comma, which means the same (RFC 9110 §5.3); \`Set-Cookie\` is not.
- **WebSockets:** Node and Deno tunnel them, so frames, compression and pings pass untouched. Bun relays messages:
  fragments are joined, nothing is compressed towards the target, pings are answered by the proxy. A message may have
  64 MiB, whole or in fragments, compressed or not as it comes; a larger one closes both sides with 1009. Workers hand frames
  on without keeping them, and without that bound.
- **WebSockets, pings:** on Bun a target that pings on and reads nothing gets, once it reads, the answer to its last ping.
  Deno tells no connection to look for a peer that is gone, so the proxy pings a caller there that is silent for a minute or
  two; the target sees the pong. No answer in another minute ends both.
- **Deno, connections of WebSockets** come from \`Deno[Deno.internal].upgradeHttpRaw\`, because \`Deno.upgradeWebSocket\` (2.9) joins
  fragments without a bound. A Deno without it answers handshakes with 501. Of a 101 with more than 13 fields the last ones
  are left out there. A connection can't be closed by halves: a caller that answers no Close frame has a second for it.
- **WebSockets by HTTP/1.0:** Node ignores \`Upgrade\` there (RFC 9110 §7.8); the others' servers do not tell the version, so a
  handshake by 1.0 is one like any other.
- **Deno, handshakes with a length:** beside \`Upgrade\` a \`Content-Length\`, even of 0, or a \`Transfer-Encoding\` is answered by
  \`Deno.serve\` itself, with a 400 without a body.
- **Bun and Deno, stalled callers:** one who stops reading costs 0.9 MiB on Bun (a bare relay with its \`fetch\`: 1.8), 0.2
  to 1.2 on Deno, 0.1 on Node. What the proxy keeps itself is a piece of what came last, which is large on Bun.
- **Connections that the target is just closing:** a request that meets one is a 502, whatever its method: nothing is sent
  twice. Connections are kept for 3 to 4 seconds, less than servers keep theirs, and less still where \`Keep-Alive\` says so.
- **Bodies that only the end of a TLS connection ends:** an end without \`close_notify\` counts as one, because no runtime tells
  (RFC 9112 §9.8). A reset is seen.
- **Answers of doubtful framing** are a 502: two lengths, even equal ones, a length beside chunks, a coding other than
  \`chunked\`, folded fields, white space before a colon, bare line feeds. Two readers could see two ends (RFC 9112 §11).
  So is one with more than 1,000 fields, or 64 KiB of them.
- **Fragments:** what stands behind a \`#\` in an address is dropped, as \`Bun.serve\` does; no client sends one (RFC 9112 §3.2).
- **Redirects that are followed** (\`url\`, \`arg\`): cookies that are set on the way reach neither the next hop nor the caller. Who
  needs them asks for \`"redirect": "manual"\`, or takes a host selector.
- **Bun, HTTP/1.0:** \`Bun.serve\` closes the connection of such a caller behind each answer.
- **Deno, slow heads:** \`Deno.serve\` has no time limit for heads and for connections that idle (Bun 12 s, Node 30 s): put a
  server in front of a proxy that others reach.
- **At the limit of descriptors** Deno's listener fails: the proxy opens it anew after 500 ms and closes the connections that
  idle; \`deno serve\` ends. \`Bun.serve\` (1.4) spins until callers leave.
- **Workers, paths:** the \`fetch\` of workerd parses the address as a URL: dot segments are resolved, \`'\` in a query and
  \`^\` are encoded. \`"\`, \`<\`, \`>\`, \`{\`, \`}\` and backquotes its server refuses.
- **Workers, methods:** workerd knows a list; every other one is a 501, in an \`arg\` too. A GET has no body.
- **Workers, fields:** workerd reads and writes values as UTF-8: bytes that are none become U+FFFD. A known field that is
  empty is gone, several lines of \`Cookie\` are joined with a comma, and a DELETE without a body says so.
- **Workers, codings:** \`Accept-Encoding\` goes out as the caller sent it and bytes pass untouched; Cloudflare's edge is said
  to write its own \`Accept-Encoding\` over it.
- **Workers, faults:** every failure of a target is \`connection_terminated\`: workerd tells no more. A target that is gone in
  the middle of a body, and an upload that is cut, are cut on the other side too.
- **Workers, callers who leave:** workerd alone notices them when it writes; until then the target is kept.
- **Workers, WebSockets:** workerd joins both sides itself; a target that breaks off is 1006 for the caller.
- **1xx answers and trailers** are not forwarded: no server here can send them from a \`Response\`.
`;
