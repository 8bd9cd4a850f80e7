/**
 * What both kinds of tunnel proxy share: their modes, and the joining of both ends.
 * @module
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * What the proxy does when it is asked: `open` a tunnel, `slow` (byte by byte), with an answer of the target's `early` in the
 * same bytes, with a `body` that does not count, after an `interim` response; or `refuse` it, ask for a `login`, find the
 * target `dead` or `late`, `hang`, `cut` the connection, or speak `garbage`.
 */
export type TunnelMode =
  | "open"
  | "slow"
  | "early"
  | "body"
  | "interim"
  | "refuse"
  | "login"
  | "dead"
  | "late"
  | "hang"
  | "cut"
  | "garbage";

/** What is in the mode `early` behind the proxy's own answer. */
export const EARLY = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly";

/** One connection to a proxy, and what it wants of it. */
export interface Accepted {
  socket: Socket;
  /** The connection below TLS; the same one without. */
  wire: Socket;
  mode: TunnelMode;
  /** `user:password` that must be shown; empty for none. */
  login: string;
  /** Notes what was asked for, and the head that asked. */
  note(asked: string, head?: string): void;
}

/** Connects to a target on loopback. */
export async function reach(port: number): Promise<Socket> {
  const target = connect({ port, host: "127.0.0.1", allowHalfOpen: true }).setNoDelay(true);
  await once(target, "connect");
  return target;
}

/** Joins both ends. A reset of one is a reset of the other. */
export function join({ socket: caller, wire }: Pick<Accepted, "socket" | "wire">, target: Socket): void {
  const reset = (socket: Socket) => (socket === caller ? wire : socket).resetAndDestroy();
  for (const [one, other] of [[caller, target], [target, caller]] as const) {
    // Node reports a reset right behind bytes as an end; only the missing address tells.
    one.on("end", () => one.remoteAddress || reset(other));
  }
  caller.pipe(target);
  target.pipe(caller);
  for (const [one, other] of [[caller, target], [target, caller]] as const) {
    one.on("error", () => reset(other));
    one.on("close", () => one.readableEnded && one.writableFinished || other.destroy());
  }
}

/** Writes an answer as the mode wants it. */
export async function writeSlowly(socket: Socket, bytes: Buffer, mode: TunnelMode): Promise<void> {
  if (mode !== "slow") return void socket.write(bytes);
  for (const byte of bytes) {
    socket.write(Buffer.of(byte));
    await sleep(3);
  }
}
