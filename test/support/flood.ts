/**
 * Bodies too large to keep: written under back-pressure, counted and hashed as they arrive.
 * @module
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import type { Handler } from "./upstream.ts";

const BLOCK = Buffer.from(Array.from({ length: 65_536 }, (_, index) => (index * 7 + (index >> 8)) & 255));

/** Writes so many bytes, never faster than they are taken. */
export async function pour(socket: Socket, size: number): Promise<void> {
  const closed = new Promise((resolve) => socket.once("close", resolve));
  for (let left = size; left > 0 && !socket.destroyed; left -= BLOCK.length) {
    const flowing = socket.write(BLOCK.subarray(0, Math.min(left, BLOCK.length)));
    if (!flowing) await Promise.race([once(socket, "drain"), closed]);
  }
}

/** The SHA-1 of what `pour` writes. */
export function digestOf(size: number): string {
  const hash = createHash("sha1");
  for (let left = size; left > 0; left -= BLOCK.length) {
    hash.update(BLOCK.subarray(0, Math.min(left, BLOCK.length)));
  }
  return hash.digest("hex");
}

/** An answer of so many bytes with its length. */
export function flood(size: number): Handler {
  return async (_request, socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Type: odd/1\r\nContent-Length: ${size}\r\n\r\n`);
    await pour(socket, size);
  };
}

/** Bytes that arrived after a head. */
export interface Drained {
  head: string;
  size: number;
  digest: string;
}

/** Reads a head and so many bytes after it, without keeping them. Rejects where the connection ends before. */
export function drain(socket: Socket, size: number): Promise<Drained> {
  const hash = createHash("sha1");
  let head: string | undefined;
  let start = Buffer.alloc(0);
  let count = 0;
  const take = (bytes: Buffer) => {
    count += bytes.length;
    hash.update(bytes);
  };
  return new Promise((resolve, reject) => {
    socket.on("close", () => reject(new Error(`Expected ${size} bytes, got ${count} after ${head}`)));
    socket.on("error", () => {});
    socket.on("data", (bytes: Buffer) => {
      if (head === undefined) {
        start = Buffer.concat([start, bytes]);
        const end = start.indexOf("\r\n\r\n");
        if (end < 0) return;
        head = start.toString("latin1", 0, end);
        take(start.subarray(end + 4));
      } else take(bytes);
      if (count >= size) resolve({ head, size: count, digest: hash.digest("hex") });
    });
  });
}

/** A socket to a port of this machine. */
export async function dial(port: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

/** The resident memory of a process in bytes (Linux). */
export async function residentBytes(pid: number): Promise<number> {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes) * 1024;
}

/** The highest resident memory of a process so far, in bytes (Linux). */
export async function peakBytes(pid: number): Promise<number> {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes) * 1024;
}

/** A target that takes one upload without keeping it, and answers it. */
export interface Sink {
  origin: string;
  drained: Promise<Drained>;
  close(): void;
}

/** Starts a target for one upload of so many bytes, which reads it in this way; by https where it has a certificate. */
export async function listenSink(
  size: number,
  read: (socket: Socket) => Promise<Drained> = (socket) => drain(socket, size),
  tls?: TlsOptions,
): Promise<Sink> {
  const server = tls ? createTlsServer(tls) : createServer();
  const drained = once(server, tls ? "secureConnection" : "connection").then(async ([socket]: Socket[]) => {
    const found = await read(socket!);
    socket!.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    return found;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, drained, close: () => void server.close() };
}

/** Starts a target that speaks plain HTTP, and refuses whatever it does not understand. */
export async function listenPlain(): Promise<{ origin: string; close(): void }> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  };
}
