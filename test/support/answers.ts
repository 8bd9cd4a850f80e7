/**
 * Scripted answers of an upstream: plain, chunked, late, cut, reset, or any bytes.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Fields, headBytes, pairsOf } from "./http.ts";
import type { Handler } from "./upstream.ts";

function answerHead(status: number, fields: Fields): Buffer {
  return headBytes(`HTTP/1.1 ${status} Scripted`, fields);
}

/** A plain answer with a true `Content-Length`; its body stays away from HEAD. */
export function reply(status: number, fields: Fields = {}, body: string | Buffer = ""): Handler {
  const bytes = Buffer.from(body);
  const head = answerHead(status, [...pairsOf(fields), ["Content-Length", String(bytes.length)]]);
  return (request, socket) => {
    socket.write(head);
    if (request.method !== "HEAD") socket.write(bytes);
  };
}

/** A chunked answer, one chunk each `pause` milliseconds. */
export function chunked(status: number, fields: Fields, chunks: (string | Buffer)[], pause = 0): Handler {
  const head = answerHead(status, [...pairsOf(fields), ["Transfer-Encoding", "chunked"]]);
  return async (_request, socket) => {
    socket.write(head);
    for (const chunk of chunks) {
      const bytes = Buffer.from(chunk);
      socket.write(
        Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]),
      );
      await sleep(pause);
    }
    socket.write("0\r\n\r\n");
  };
}

/** An answer with a true `Content-Length`, one piece of its body each `pause` milliseconds. */
export function paced(status: number, fields: Fields, pieces: string[], pause: number): Handler {
  const length = String(Buffer.byteLength(pieces.join("")));
  const head = answerHead(status, [...pairsOf(fields), ["Content-Length", length]]);
  return async (_request, socket) => {
    socket.write(head);
    for (const piece of pieces) {
      socket.write(piece);
      await sleep(pause);
    }
  };
}

/** Exactly these bytes, and the connection stays open. */
export function raw(bytes: string | Buffer): Handler {
  return (_request, socket) => void socket.write(Buffer.from(bytes as string, "latin1"));
}

/** Exactly these bytes, then an orderly close (FIN). */
export function cut(bytes: string | Buffer = ""): Handler {
  return (_request, socket) => void socket.end(Buffer.from(bytes as string, "latin1"));
}

/** Exactly these bytes, then a reset (RST). */
export function reset(bytes: string | Buffer = ""): Handler {
  return async (_request, socket) => {
    socket.write(Buffer.from(bytes as string, "latin1"));
    await sleep(20);
    socket.resetAndDestroy();
  };
}

/** Another answer, later. */
export function delayed(milliseconds: number, handler: Handler): Handler {
  return async (request, socket) => {
    await sleep(milliseconds);
    await handler(request, socket);
  };
}

/** Holds answers back until it is opened. Those that come after wait for the next time. */
export class Gate {
  #waiting: (() => void)[] = [];

  /** Until the gate is opened the next time. */
  opened(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Another answer, when the gate is opened. */
  hold(handler: Handler): Handler {
    return async (request, socket) => {
      await this.opened();
      await handler(request, socket);
    };
  }

  open(): void {
    for (const pass of this.#waiting.splice(0)) pass();
  }
}

/** Answers by request path (without query); 404 for the others. */
export function routes(table: Record<string, Handler>): Handler {
  return (request, socket) => {
    const path = request.target.split("?")[0] ?? "";
    return (table[path] ?? reply(404))(request, socket);
  };
}

/** No answer at all. */
export const silence: Handler = () => {};
