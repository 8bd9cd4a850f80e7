/**
 * Requests that a server must refuse, or may at least: the cases that h1spec (uNetworking) and Http11Probe publish with the
 * answers that they accept. Behind what could hide it there is a request for `/smuggled`.
 * @module
 */
import { ask, CHUNKS, OWN, TO } from "./requests.ts";

/** What could be taken for the next request. */
const SMUGGLED = `GET /smuggled HTTP/1.1\r\n${TO}\r\n`;

const LINES = [
  "GET\t/ HTTP/1.1",
  "GET  / HTTP/1.1",
  "GET / HTTP/1.1 ",
  "GET / HTTP/9.9",
  "GET / HTTP/01.01",
  "GET / HTTP/1",
  "GET / HTTP/ 1.1",
  "GET / http/1.1",
  "GET / HTTP/1.1\rX-Test: value",
  "GET HTTP/1.1",
  "GET / ",
  "GET /",
  "GET * HTTP/1.1",
  "GET /pa th HTTP/1.1",
  "GET /\x00test HTTP/1.1",
  "GET /\xc0\xaf HTTP/1.1",
  "Extra lineGET / HTTP/1.1",
  "   ",
  "G\x80T / HTTP/1.1",
  "GET / HTTP/1.1\r\n X-Test: before all fields",
].map((line) => `${line}\r\n${TO}\r\n`);

const FIELDS = [
  "X-Test : value",
  ": empty-name",
  "NoColonHere",
  "Bad[Name: value",
  "X-Invalid[]: test",
  "X-T\xc3\xabst: value",
  "X-Test: abc\x07\x08\x0bdef",
  "X-Test: val\x00ue",
  "X-Test: val\rue",
  "X-Test: value\r\n continued",
  "X-Test: value\r\n\rSome-Header: test",
  "X-Test: value\nX-Next: value",
  "Content-Length: 5\r\nContent-Length: 10",
  "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
  "Transfer-Encoding : chunked",
].map((fields) => ask("POST /p", `${fields}\r\n\r\n${SMUGGLED}`));

const HOSTS = [
  "localhost/path",
  "user@localhost",
  "localhost, other.example.com",
  "localhost localhost",
  "[::1",
  "a:b",
]
  .map((host) => `GET /p HTTP/1.1\r\n${TO.replace("{own}", host)}\r\n`);

const LENGTHS = [
  "",
  "abc",
  "+5",
  "-1",
  "-0",
  "0x5",
  "0o5",
  "1_0",
  "1 0",
  "5x",
  "5, 10",
  "5, 5",
  "5, 5, 5",
  "5,",
  "9".repeat(20),
]
  .map((length) => ask("POST /p", `Content-Length: ${length}\r\n\r\nhello${SMUGGLED}`));

const CODINGS = [
  "chunked",
  "Chunked",
  ", chunked",
  "chunked,",
  "chunked ",
  "\tchunked",
  "\x0bchunked",
  "\x0cchunked",
  "chunked\x00",
  "\r\n chunked",
  "xchunked",
  "identity",
  "",
  "gzip",
  "chunked, chunked",
  "chunked, gzip",
  "chunked;ext=val",
].map((coding) =>
  ask("POST /p", `Transfer-Encoding: ${coding}\r\nContent-Length: 45\r\n\r\n0\r\n\r\n${SMUGGLED}`)
);

const CHUNK_LINES = [
  "5\rhello\r\n0\r\n\r\n",
  "5;\r\nhello\r\n0\r\n\r\n",
  "5;a\rX\r\nhello\r\n0\r\n\r\n",
  "5;\x00ext\r\nhello\r\n0\r\n\r\n",
  "5;bad[=x\r\nhello\r\n0\r\n\r\n",
  "5;\nhello\r\n0\r\n\r\n",
  "5\nhello\r\n0\r\n\r\n",
  " 5\r\nhello\r\n0\r\n\r\n",
  "5 \r\nhello\r\n0\r\n\r\n",
  "0x5\r\nhello\r\n0\r\n\r\n",
  "+5\r\nhello\r\n0\r\n\r\n",
  "-1\r\nhello\r\n0\r\n\r\n",
  "1_0\r\nhello world!!!!!\r\n0\r\n\r\n",
  "FFFFFFFFFFFFFFFF0\r\nhello\r\n0\r\n\r\n",
  "5\r\nhello\n0\r\n\r\n",
  "5\r\nhello!!\r\n0\r\n\r\n",
  "5\r\nhello0\r\n\r\n",
  "5\r\nhello\r\n0\r\n\n",
  "+0\r\n\r\n",
  `5;ext=${"a".repeat(65_536)}\r\nhello\r\n0\r\n\r\n`,
].map((chunks) => ask("POST /p", `${CHUNKS}${chunks}${SMUGGLED}`));

/** All of them, with the only status that answers them. */
export const REFUSED: readonly { bytes: string; status: number }[] = [
  ...[...LINES, ...FIELDS, ...HOSTS, ...LENGTHS, ...CODINGS, ...CHUNK_LINES].map((bytes) => ({
    bytes,
    status: 400,
  })),
  { bytes: `GET / HTTP/1.1\r\n\r\n`, status: 400 },
  { bytes: ask("GET /p", "Host: other.example.com\r\n\r\n"), status: 400 },
  { bytes: ask("GET /p", "Host: {own}\r\n\r\n"), status: 400 },
  { bytes: `POST /p HTTP/1.0\r\n${TO}${CHUNKS}0\r\n\r\n${SMUGGLED}`, status: 400 },
  { bytes: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", status: 400 },
  { bytes: "\x80\x01\xff\r\n\r\n", status: 400 },
  { bytes: ask("TRACE /p", "Authorization: Bearer secret\r\nContent-Length: 5\r\n\r\nhello"), status: 405 },
  { bytes: `CONNECT a.test:443 HTTP/1.1\r\n${OWN}\r\n`, status: 405 },
  { bytes: ask(`GET /${"A".repeat(100_000)}`), status: 414 },
  { bytes: ask("GET /p", `${"A".repeat(100_000)}: val\r\n\r\n`), status: 431 },
  { bytes: ask("GET /p", `X-Big: ${"B".repeat(100_000)}\r\n\r\n`), status: 431 },
  { bytes: ask("GET /p", `${"X-H: value\r\n".repeat(10_000)}\r\n`), status: 431 },
];
