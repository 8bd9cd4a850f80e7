/**
 * HTTP/1.1 over plain sockets: one request to check a response.
 * @module
 */
import { connect } from "node:net";
import { type Answer, ResponseReader } from "./response-reader.ts";

/** Headers of every request: real clients send them, and the proxy's fast path on Bun needs both. */
export const CLIENT_HEADERS: Readonly<Record<string, string>> = { "user-agent": "wrk", accept: "*/*" };

const TIMEOUT_MS = 15_000;

/** A request to 127.0.0.1. */
export interface RawRequest {
  port: number;
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** If set, the request is a POST. */
  body?: Buffer;
}

/** The bytes of a request, to be written as they are. */
export function formatRequest({ port, path, headers = {}, body }: RawRequest): Buffer {
  const fields = { host: `127.0.0.1:${port}`, ...CLIENT_HEADERS, ...headers };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  if (body) lines.push("content-type: application/octet-stream", `content-length: ${body.length}`);
  const head = Buffer.from(`${body ? "POST" : "GET"} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  return body ? Buffer.concat([head, body]) : head;
}

/** Sends one request on a connection of its own. */
export function requestOnce(request: RawRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect(request.port, "127.0.0.1", () => socket.write(formatRequest(request)));
    const reader = new ResponseReader({
      onEnd(answer) {
        resolve(answer);
        socket.destroy();
      },
    });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error("no answer in time")));
    socket.on("data", (chunk: Buffer) => reader.push(chunk));
    socket.on("error", reject).on("close", () => {
      reader.close();
      reject(new Error("closed before the answer was complete"));
    });
  });
}
