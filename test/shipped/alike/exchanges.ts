/**
 * Requests, and what the target answers: whatever the proxy makes of them, it is the same on every runtime.
 * @module
 */
import { ask, CHUNKS, HELLO, OWN, own, REQUESTS, TO } from "./requests.ts";
import { typedRows } from "../../support/rows.ts";

/** One exchange. */
export interface Exchange {
  /** What is written, step by step: each when the response to the one before is whole. */
  steps: readonly string[];
  /** What is waited for behind the first of them, in place of a whole response. */
  until?: string;
  /** The bytes that the target answers with once it has all. */
  answer?: string;
  /** What it says before, when it has the head. */
  early?: string;
  /** How the target leaves, and what the caller has got before that. */
  leaves?: { by: "end" | "reset"; after?: string };
}

/** A response, whole. */
export const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/** What targets answer, well and badly. */
const ANSWERS: readonly Omit<Exchange, "steps">[] = [
  "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: 1\r\nx-a: 2\r\nX-Empty:\r\nX-V: caf\u00e9\r\n\r\nok",
  "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 299 S\u00e9lf made \u00ff\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\n",
  "HTTP/1.1 205 Reset\r\nContent-Length: 0\r\n\r\n",
  'HTTP/1.1 304 Not\r\nETag: W/"1"\r\nContent-Length: 99\r\n\r\n',
  "HTTP/1.1 103 Early\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Go\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 101 Odd\r\n\r\n",
  "HTTP/1.1 600 Odd\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 20 Odd\r\n\r\n",
  "HTTP/2 200 Odd\r\n\r\n",
  "HTTP/1.0 200 Old\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok",
  "HTTP/1.1 200 OK\nContent-Length: 2\n\nok",
  "\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
  `HTTP/1.1 200 OK\r\n${CHUNKS}3;a=b\r\nabc\r\n2\r\nde\r\n0\r\nX-T: 1\r\n\r\n`,
  `HTTP/1.1 200 OK\r\n${CHUNKS}3;\r\nabc\r\n0\r\n\r\n`,
  `HTTP/1.1 200 OK\r\nContent-Length: 1\r\n${CHUNKS}0\r\n\r\n`,
  "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
  "HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\nok",
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
  "HTTP/1.1 200 OK\r\nX-V: a\x01b\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 200 OK\r\nX-V: a\r\n b\r\nContent-Length: 0\r\n\r\n",
  "nonsense\r\n\r\n",
  "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection:\r\nConnection: close, x-a\r\nX-A: 1\r\nKeep-Alive: timeout=1\r\n\r\nok",
  "HTTP/1.1 301 Moved\r\nLocation: /next?x#y\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 302 Found\r\nLocation: http://{host}/x\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 302 Found\r\nLocation: https://169.254.169.254/x\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 302 Found\r\nLocation: http://[bad\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 200 OK\r\nRefresh: 1; url=/x\r\nSourceMap: http://{host}/a.map\r\nLink: </a>; rel=next, <http://{host}/b>\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Domain=x.test; Secure; SameSite=None\r\nset-cookie: __Host-b=2; Path=/; Secure\r\nSet-Cookie: proxy_host=evil\r\nSet-Cookie: c=\x80; path=/p; HttpOnly\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 200 OK\r\nStrict-Transport-Security: max-age=1\r\nAlt-Svc: h3\r\nClear-Site-Data: *\r\nSet-Login: logged-in\r\nVary: X\r\nContent-Security-Policy: upgrade-insecure-requests; img-src a\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nDate: Mon, 01 Jan 2024 00:00:00 GMT\r\nVia: 1.1 x\r\nProxy-Status: x\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 401 No\r\nWWW-Authenticate: NTLM\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n",
].map((answer) => ({ answer }));

/** Targets that leave. */
const LEAVING: readonly Omit<Exchange, "steps">[] = [
  { answer: "", leaves: { by: "end" } },
  { answer: "", leaves: { by: "reset" } },
  { answer: "HTTP/1.1 200 OK\r\nConte", leaves: { by: "end" } },
  { answer: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", leaves: { by: "end", after: "hel" } },
  { answer: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", leaves: { by: "reset", after: "hel" } },
  { answer: `HTTP/1.1 200 OK\r\n${CHUNKS}3\r\nabc\r\n`, leaves: { by: "end", after: "abc" } },
  { answer: `HTTP/1.1 200 OK\r\n${CHUNKS}x\r\nabc\r\n`, leaves: { by: "end" } },
  { answer: "HTTP/1.1 200 OK\r\n\r\nto the end", leaves: { by: "end" } },
  { answer: "HTTP/1.0 200 OK\r\n\r\nto the end", leaves: { by: "end" } },
  { answer: `${OK}more`, leaves: { by: "end" } },
];

const SOCKET = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
const KEYED = `${SOCKET}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n`;
const JOINED = `HTTP/1.1 101 Switching\r\n${SOCKET}Sec-WebSocket-Accept: {accept}\r\n`;

/** WebSockets: handshakes that are refused by either side, and one that is joined. */
const SOCKETS: readonly Exchange[] = typedRows<Exchange>(["steps", "answer", "until"], [
  [[ask("GET /w", `${SOCKET}\r\n`)]],
  [[ask("GET /w", `${SOCKET}Sec-WebSocket-Version: 12\r\nSec-WebSocket-Key: x\r\n\r\n`)]],
  [[ask("POST /w", `${KEYED}Content-Length: 0\r\n\r\n`)]],
  [[ask("GET /w", `${KEYED}\r\n`)]],
  [[ask("GET /w", `${KEYED}\r\n`)], "HTTP/1.1 403 No\r\nContent-Length: 2\r\nX-A: 1\r\n\r\nno"],
  [[ask("GET /w", `${KEYED}\r\n`)], "HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n"],
  [[ask("GET /w", `${KEYED}\r\n`)], `HTTP/1.1 101 Switching\r\n${SOCKET}\r\n`],
  [[ask("GET /w", `${KEYED}\r\n`)], `${JOINED}Sec-WebSocket-Protocol: unasked\r\n\r\n`],
  [[own("GET /__proxy__/?url=ws://{host}/w", `${KEYED}Origin: http://evil.test\r\n\r\n`)]],
  [[own("GET /__proxy__/health", `${KEYED}\r\n`)]],
  [
    [own("GET /__proxy__/?url=ws://{host}/w", `${KEYED}\r\n`)],
    "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n",
  ],
  [
    [ask("GET /w", `${KEYED}Sec-WebSocket-Protocol: a, b\r\nSec-WebSocket-Extensions: x-odd\r\n\r\n`)],
    `${JOINED}Content-Length: 0\r\nSEC-WebSocket-Protocol: b\r\nx-A: 1\r\nX-a: 2\r\n\r\n\x81\x02hi\x88\x02\x03\xe8`,
    "\x88\x02\x03\xe8",
  ],
]);

const EXPECTING = ask("POST /p", "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n");

/** Several requests on one connection, and uploads that are answered before they are whole. */
const SEQUENCES: readonly Exchange[] = [
  { steps: [EXPECTING, "hello", ask("GET /2")], early: "HTTP/1.1 100 Go on\r\n\r\n", until: "100 Continue" },
  {
    steps: [EXPECTING.replace("Expect: ", "Expect: x=y, "), "hello"],
    early: "HTTP/1.1 102 On\r\n\r\nHTTP/1.1 100 Go\r\n\r\n",
    until: "100 Continue",
  },
  { steps: [ask("GET /1", "Connection: close, keep-alive\r\n\r\n").replace("/1.1", "/1.0") + ask("GET /2")] },
  {
    steps: [ask("HEAD /1"), ask("GET /2")],
    answer: "HTTP/1.1 304 Not\r\nContent-Length: 005\r\nTransfer-Encoding: chunked\r\n\r\n",
  },
  { steps: [EXPECTING], early: "HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n", answer: "" },
  {
    steps: [ask("POST /p", "Content-Length: 5\r\n\r\n")],
    early: "HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n",
    answer: "",
  },
  { steps: [ask("GET /1") + ask("HEAD /2") + ask("POST /3", HELLO) + ask("GET /4")] },
  { steps: [ask("HEAD /1"), ask("GET /2"), own("GET /__proxy__/health"), ask("DELETE /3")] },
  { steps: [ask("GET /1") + ask("GET /2", "X-V: a\x00b\r\n\r\n") + ask("GET /3")] },
  { steps: [ask("GET /1", "Connection: close\r\n\r\n") + ask("GET /2")] },
  { steps: [ask("POST /1", `${HELLO}more`)] },
  { steps: [ask("POST /1", "Expect: 100-continue\r\nContent-Length: 5\r\n\r\nhello"), ask("GET /2")] },
  { steps: [own("POST /__proxy__/nope", HELLO), own("POST /__proxy__/nope", `${CHUNKS}0\r\n\r\n`)] },
];

/** All of them. */
export const EXCHANGES: readonly (Exchange & { title: string })[] = [
  ...REQUESTS.map((bytes) => ({ steps: [bytes] })),
  ...ANSWERS.map((answer) => ({ ...answer, steps: [ask("GET /p")] })),
  ...ANSWERS.slice(0, 8).map((answer) => ({ ...answer, steps: [ask("HEAD /p")] })),
  ...ANSWERS.slice(23, 31).map((answer) => ({
    ...answer,
    steps: [own("GET /__proxy__/?url=http://{host}/p")],
  })),
  ...LEAVING.map((answer) => ({ ...answer, steps: [ask("POST /p", HELLO)] })),
  ...LEAVING.map((answer) => ({ ...answer, steps: [`GET /p HTTP/1.0\r\n${TO}\r\n`] })),
  ...SOCKETS,
  ...SEQUENCES,
].map((exchange) => ({ answer: OK, title: titleOf(exchange), ...exchange }));

/** What differs from a plain request, in one line. */
function titleOf({ steps, early, answer, leaves }: Exchange): string {
  const asked = steps.join(" … ").replaceAll(TO, "").replaceAll(OWN, "");
  const said = [early, answer, leaves?.by].filter((text) => text !== undefined).join(" … ");
  return `${JSON.stringify(asked).slice(0, 120)} → ${JSON.stringify(said).slice(0, 120)}`;
}
