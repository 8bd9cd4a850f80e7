/**
 * A target that breaks four responses in ten, in the ways that occur on real networks.
 * @module
 */
import { type AddressInfo, createServer, type Socket } from "node:net";

const LARGE = "x".repeat(65_536);
const JSON_BODY = JSON.stringify({ status: true, data: "x".repeat(75) });

const answer = (length: number, body: string) =>
  `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${length}\r\n\r\n${body}`;
const chunked = (end: string) =>
  `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n400\r\n${"y".repeat(1024)}\r\n${end}`;

/** Correct responses, on six paths. */
const SOUND: Readonly<Record<string, string>> = {
  "/small-1": answer(JSON_BODY.length, JSON_BODY),
  "/small-2": answer(JSON_BODY.length, JSON_BODY),
  "/small-3": answer(JSON_BODY.length, JSON_BODY),
  "/large": answer(LARGE.length, LARGE),
  "/chunked": chunked("0\r\n\r\n"),
  "/upload": answer(2, "ok"),
};

/** Broken responses, in turn on four paths. */
const FAULTS: readonly ((socket: Socket) => void)[] = [
  (socket) => socket.destroy(),
  (socket) => socket.resetAndDestroy(),
  (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-le"),
  (socket) => socket.end(answer(100_000, LARGE)),
  (socket) => socket.end(chunked("zz\r\n")),
  (socket) => socket.write(answer(100_000, LARGE), () => setTimeout(() => socket.resetAndDestroy(), 20)),
  (socket) => socket.write("HTTP/9.9 huh\r\n\r\n"),
  (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${LARGE}${LARGE}${LARGE}${LARGE}`),
  // Sends nothing: the proxy's timeout ends it.
  () => {},
];

/** The paths of requests, in turn; responses to those in `SOUND` must arrive complete. */
export const PATHS: readonly string[] = [
  ...Object.keys(SOUND),
  ...["/fault-1", "/fault-2", "/fault-3", "/fault-4"],
];

/** True if the response to this path is correct. */
export function isSound(path: string): boolean {
  return path in SOUND;
}

/**
 * Listens on a free port of 127.0.0.1.
 *
 * @returns the port
 */
export function startFaultyTarget(): Promise<number> {
  let faults = 0;
  const server = createServer((socket) => {
    let bytes = "";
    socket.on("error", () => {}).setEncoding("latin1").on("data", (chunk: string) => {
      bytes += chunk;
      const end = bytes.indexOf("\r\n\r\n");
      if (end < 0 || bytes.length < end + 4 + readLength(bytes.slice(0, end))) return;
      const path = bytes.split(" ", 2)[1]!;
      bytes = "";
      const sound = SOUND[path];
      if (sound !== undefined) socket.write(sound);
      else FAULTS[faults++ % FAULTS.length]!(socket);
    });
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

function readLength(head: string): number {
  return Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
}
