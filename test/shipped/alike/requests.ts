/**
 * Requests as bytes, good and odd. `{own}` is the proxy's host and port, `{host}` the target's, `{port}` its port,
 * `{length}` that of all behind the head.
 * @module
 */

export const TO = "Host: {own}\r\nproxy_host: http://{host}\r\n";
export const OWN = "Host: {own}\r\n";
export const HELLO = "Content-Length: 5\r\n\r\nhello";
export const CHUNKS = "Transfer-Encoding: chunked\r\n\r\n";

/** A request to the target, from its line and what follows its first fields. */
export function ask(line: string, rest = "\r\n"): string {
  return `${line} HTTP/1.1\r\n${TO}${rest}`;
}

/** A request to the proxy itself. */
export function own(line: string, rest = "\r\n"): string {
  return `${line} HTTP/1.1\r\n${OWN}${rest}`;
}

/** An argument, as JSON: its address is filled in later, which Base64 would hide. */
function arg(argument: object | string): string {
  const text = typeof argument === "string" ? argument : JSON.stringify(argument);
  return own("POST /__proxy__/fetch", `Content-Length: {length}\r\n\r\n${text}`);
}

const METHODS = [
  "HEAD",
  "OPTIONS",
  "DELETE",
  "PURGE",
  "BREW",
  "get",
  "M-SEARCH",
  "TRACE",
  "CONNECT",
  "QUERY",
];

const PATHS = [
  "/a/../b/./c",
  "/..",
  "//evil.test/x",
  "/a//b///",
  "/%2e%2e/%2F%7E%00%zz%",
  "/a?b?c=d&&e=#f",
  "/?",
  "/#x",
  '/a"<>^`{}|\\b',
  "/caf\u00c3\u00a9?\u00e2\u0082\u00ac",
  "/caf\u00e9",
  "/a\tb",
  "/;p=1/:x@y!$&'()*+,",
  "p",
  "?q",
  "http://{own}/abs?x",
  "http://{own}",
  "HTTP://{own}/abs",
  "http://other.test/abs",
  "https://{own}/abs",
  "http://u:p@{own}/abs",
  "/__proxy__%2fhealth",
  "/__proxy__x",
  "/__PROXY__/",
  "/./__proxy__/health",
  "/https://a.test/x",
];

/** Fields behind Host and the selector. */
const FIELDS = [
  "X-A: 1\r\nx-a: 2\r\nX-B:\r\nX-C: \t c \t\r\n",
  "X-V: caf\u00e9 \u00c3\u00a9 \u00ff\r\n",
  "Connection: x-a, close-not, keep-alive\r\nX-A: 1\r\nKeep-Alive: timeout=9\r\n",
  "Connection: authorization\r\nAuthorization: Basic YTpi\r\n",
  "TE: trailers, gzip\r\n",
  "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAA\r\n",
  "Cookie: a=1\r\nCookie: b=2; proxy_host=x; proxy_token=y; c=\r\n",
  "Origin: http://{own}\r\nReferer: http://{own}/x?y\r\nDestination: http://{own}/z\r\nIf: <http://{own}/z> (<a>)\r\n",
  "Forwarded: for=1.2.3.4\r\nX-Forwarded-For: 1.2.3.4\r\nX-Real-IP: 1.2.3.4\r\nVia: 1.0 other\r\n",
  "X-Forwarded-Host: evil.test\r\nX-Forwarded-Proto: https\r\nCF-Connecting-IP: 1.1.1.1\r\n",
  "Max-Forwards: 3\r\nExpect: unknown\r\nPriority: u=1\r\nRange: bytes=0-1\r\n",
  "proxy_host: http://{host}\r\n",
  "proxy_host: http://other.test\r\n",
  "proxy-host: http://{host}\r\n",
  "Accept-Encoding: br;q=1.0, *;q=0\r\nUser-Agent:\r\nAccept: \r\n",
  "Authorization: Negotiate YTpi\r\n",
  "CDN-Loop: other; v=1, fetchvia-no\r\n",
  `X-Long: ${"y".repeat(60_000)}\r\n`,
  Array.from({ length: 900 }, (_, at) => `X-${at}: ${at}\r\n`).join(""),
  Array.from({ length: 1_100 }, (_, at) => `X-${at}: ${at}\r\n`).join(""),
  "Content-Length: 0\r\n",
  "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors\r\nOrigin: http://evil.test\r\n",
  "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Dest: serviceworker\r\nService-Worker: script\r\n",
  "Origin: http://good.test\r\n",
  "Origin: null\r\n",
];

/** Requests that are more than a line and fields. */
const REST: readonly string[] = [
  ask("POST /p", HELLO),
  ask("GET /p", HELLO),
  ask("PUT /p", `${CHUNKS}5;a="b;c"\r\nhello\r\n0\r\n\r\n`),
  ask(
    "POST /p",
    `TE: trailers\r\nTrailer: X-T\r\n${CHUNKS}1\r\na\r\n00\r\nX-T: 1\r\nContent-Length: 3\r\n\r\n`,
  ),
  ask("POST /p", `${CHUNKS}0\r\n\r\n`),
  ask("POST /p", `Content-Length: 101\r\n\r\n${"x".repeat(101)}`),
  ask("POST /p", `${CHUNKS}65\r\n${"x".repeat(101)}\r\n0\r\n\r\n`),
  ask("POST /p", "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na=1"),
  ask("OPTIONS /p", "Max-Forwards: 0\r\n\r\n"),
  ask("OPTIONS /p", "Origin: http://good.test\r\nAccess-Control-Request-Method: PUT\r\n\r\n"),
  ask("OPTIONS /p", "Origin: http://evil.test\r\nAccess-Control-Request-Method: PUT\r\n\r\n"),
  "GET /p HTTP/1.0\r\n\r\n",
  `GET /p HTTP/1.0\r\n${TO}\r\n`,
  `GET /p HTTP/1.0\r\n${TO}Connection: keep-alive\r\n\r\n`,
  `GET /p HTTP/1.2\r\n${TO}\r\n`,
  `GET /p HTTP/2.0\r\n${TO}\r\n`,
  `\r\n\r\nGET /p HTTP/1.1\r\n${TO}\r\n`,
  `\nGET /p HTTP/1.1\r\n${TO}\r\n`,
  `GET /p HTTP/1.1\n${TO}\r\n`,
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
  `${"G".repeat(300)} /p HTTP/1.1\r\n${TO}\r\n`,
  "GET /p HTTP/1.1\r\nHost: \r\n\r\n",
  "GET /p HTTP/1.1\r\nHost: evil.test\r\nproxy_host: http://{host}\r\n\r\n",
  "GET /p HTTP/1.1\r\nHost: 127-0-0-1-{port}.w.localhost\r\n\r\n",
  "GET /p HTTP/1.1\r\nHost: 127-0-0-1-{port}.W.LocalHost.:80\r\nOrigin: http://127-0-0-1-{port}.w.localhost\r\n\r\n",
  "GET /p HTTP/1.1\r\nHost: 169-254-169-254.w.localhost\r\n\r\n",
  "GET /p HTTP/1.1\r\nHost: a--b-.w.localhost\r\n\r\n",
  own("GET /__proxy__/at/127-0-0-1-{port}/a/../b//c%2F?x=%26&token=y"),
  own("PUT /__proxy__/at/127-0-0-1-{port}/", HELLO),
  own("GET /__proxy__/at/127-0-0-1-{port}"),
  own("GET /__proxy__/at/%31/x"),
  "GET /p HTTP/1.1\r\nHost: {own}\r\nCookie: proxy_host=http%3A%2F%2F{host}%2Fbase\r\n\r\n",
  "GET /p HTTP/1.1\r\nHost: {own}\r\nproxy_host: http://{host}/base/?q\r\n\r\n",
  ...[
    "",
    "ftp://a.test",
    "http://a.test:99999",
    "http://[::1",
    "http://169.254.169.254",
    "http://0x7f.1:{port}",
  ]
    .map((host) => `GET /p HTTP/1.1\r\n${OWN}proxy_host: ${host}\r\n\r\n`),
  ...[
    "http://{host}/a?b=c&d",
    "http%3A%2F%2F{host}%2Fa%3Fb&host=x",
    "",
    "ftp://a.test/",
    "http://u:p@{host}/x",
  ]
    .map((url) => own(`GET /__proxy__/?url=${url}`)),
  ...[
    "?host=http://a.test",
    "?host=",
    "?host=nonsense",
    "health",
    "metrics",
    "nope",
    "explain?url=http://{host}/",
    "",
  ]
    .map((rest) => own(`GET /__proxy__/${rest}`)),
  own(
    "GET /__proxy__/",
    "Accept: text/html\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n\r\n",
  ),
  own("POST /__proxy__/health", HELLO),
  own("HEAD /__proxy__/health"),
  own("GET /__proxy__/fetch?arg=%%%"),
  own("GET /__proxy__/fetch?arg=e30"),
  own("DELETE /__proxy__/fetch"),
  own("GET /"),
  arg({
    url: "http://{host}/a",
    method: "PUT",
    headers: { "X-A": "1", Host: "no", Cookie: "c=1" },
    body: { a: [1.0] },
  }),
  arg({ url: "http://{host}/a", headers: { "X-A": "caf\u00e9" }, redirect: "manual" }),
  arg({ url: "http://{host}/a", method: "a b" }),
  arg({ url: "http://{host}/a", nonsense: 1 }),
  arg('{"url": "http://{host}/a", "url": "http://{host}/b"}'),
  arg("[1]"),
];

/** All of them. */
export const REQUESTS: readonly string[] = [
  ...METHODS.map((method) => ask(`${method} /p`)),
  ...PATHS.map((path) => ask(`GET ${path}`)),
  ...FIELDS.map((fields) => ask("GET /p", `${fields}\r\n`)),
  ...REST,
];
