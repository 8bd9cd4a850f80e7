/**
 * Tells a watch what happens on a socket.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { CLOSED, type WireWatch } from "./contract.ts";

/** What is special about a socket. */
export interface Special {
  /** What the bytes come from, if the socket wraps it. */
  carrier?: Duplex & Pick<Socket, "remoteAddress"> | undefined;
  /** Finds out more of a failure; gives nothing where there is no more to know. */
  explain?(failure: Error): Promise<Error> | undefined;
}

/** Takes the failure of a write; true if the socket goes on without it. */
type Hold = (failure: Error) => boolean;
/** Called when a write is over. */
type Done = (failure?: Error | null) => void;

/** How a write fails on a connection that the other side has reset. Nothing more can come of it than what has arrived. */
const RESETS: ReadonlySet<unknown> = new Set(["EPIPE", "ECONNRESET"]);

/** Passes on the events of a socket, except that it is open. */
export function watchSocket(
  socket: Socket,
  watch: WireWatch,
  { carrier = socket, explain }: Special = {},
): void {
  let isExplained = false;
  let broken: Error | undefined;
  const hold: Hold = (failure) => {
    if (!RESETS.has((failure as NodeJS.ErrnoException).code)) return false;
    broken ??= failure;
    return watch.onWriteFailed?.() === true;
  };
  for (const one of new Set<Duplex>([socket, carrier])) holdWrites(one, hold);
  socket.on("data", (bytes: Buffer) => watch.onBytes(bytes));
  socket.on("drain", () => watch.onDrain());
  socket.on("error", (failure: Error) => {
    const explained = explain?.(failure);
    if (!explained) return watch.onClose(failure);
    isExplained = true;
    void explained.then((known) => watch.onClose(known));
  });
  // Node reports a reset right after bytes as an end (libuv), and Deno every reset with TLS. Only after a reset the
  // socket has no `remoteAddress`; on Bun and Deno one with TLS within TLS has none at all.
  socket.on("end", () => watch.onClose(broken ?? (carrier.remoteAddress ? undefined : CLOSED)));
  socket.on("close", () => void (isExplained || watch.onClose(CLOSED)));
}

/**
 * Keeps a failed write from destroying its socket, and with it what was received before. The socket waits for that write
 * until it is destroyed.
 */
function holdWrites(socket: Duplex, hold: Hold): void {
  const { _write, _writev } = socket;
  const watched = (done: Done): Done => (failure) => void (failure && hold(failure) || done(failure));
  socket._write = (chunk, coding, done) => _write.call(socket, chunk, coding, watched(done));
  if (_writev) socket._writev = (chunks, done) => _writev.call(socket, chunks, watched(done));
}
