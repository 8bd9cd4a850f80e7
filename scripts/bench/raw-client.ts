/**
 * HTTP/1.1 over plain sockets: one request to check an answer, and many of them where `wrk` is not installed.
 * @module
 */
import { connect, type Socket } from "node:net";
import { type Answer, ResponseReader } from "./response-reader.ts";

/** What every request carries: clients do, and the proxy's fast way on Bun needs both. */
export const CLIENT_HEADERS: Readonly<Record<string, string>> = { "user-agent": "wrk", accept: "*/*" };

const TIMEOUT_MS = 15_000;

/** A request to 127.0.0.1. */
export interface RawRequest {
  port: number;
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** With one it is a POST. */
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

/** What a run over keep-alive connections came to. */
export interface RawRun {
  /** Answers with status 200. */
  requests: number;
  /** Bytes that arrived. */
  bytes: number;
  /** Other answers and lost connections. */
  errors: number;
  /** How long each answer took, in milliseconds. */
  latencies: number[];
}

/** Sends a request again and again over some connections, one at a time on each. */
export async function requestOften(request: RawRequest, connections: number, ms: number): Promise<RawRun> {
  const run: RawRun = { requests: 0, bytes: 0, errors: 0, latencies: [] };
  const bytes = formatRequest(request);
  const sockets = Array.from({ length: connections }, () => repeatRequest(request.port, bytes, run));
  await Bun.sleep(ms);
  for (const socket of sockets) socket.removeAllListeners("close").destroy();
  return run;
}

function repeatRequest(port: number, request: Buffer, run: RawRun): Socket {
  let begun = 0;
  const send = () => {
    begun = performance.now();
    socket.write(request);
  };
  const reader = new ResponseReader({
    onEnd({ status }) {
      if (status === 200) run.requests += 1;
      else run.errors += 1;
      run.latencies.push(performance.now() - begun);
      send();
    },
  });
  const socket = connect(port, "127.0.0.1", send).setNoDelay(true);
  socket.on("data", (chunk: Buffer) => {
    run.bytes += chunk.length;
    reader.push(chunk);
  });
  socket.on("error", () => {}).on("close", () => (run.errors += 1));
  return socket;
}
