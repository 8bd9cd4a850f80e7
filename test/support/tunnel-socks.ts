/**
 * The side of a tunnel proxy that is asked by SOCKS 5 (RFC 1928, RFC 1929).
 * @module
 */
import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import ipaddr from "ipaddr.js";
import { type Accepted, EARLY, join, reach, type TunnelMode, writeSlowly } from "./tunnel-parts.ts";

const REPLIES: Partial<Record<TunnelMode, number>> = { refuse: 2, dead: 5, late: 6 };
const NOTHING = Buffer.alloc(0);

/** Reads one opening and does what the mode says. */
export function acceptSocks(accepted: Accepted): void {
  void serve(accepted).catch(() => accepted.socket.destroy());
}

async function serve(accepted: Accepted): Promise<void> {
  const { socket, mode, login, note } = accepted;
  const read = createReader(socket);
  const [, count = 0] = await read(2);
  const methods = await read(count);
  if (mode === "garbage") return void socket.write("HTTP/1.1 400 Bad Request\r\n\r\n");
  const method = mode === "login" ? 255 : !login ? 0 : methods.includes(2) ? 2 : 255;
  socket.write(Buffer.of(5, method));
  if (method === 255) return void socket.end();
  if (method === 2 && !await logIn(socket, read, login)) return void socket.end();
  const [, , , kind = 0] = await read(4);
  const host = await readHost(kind, read);
  const port = (await read(2)).readUInt16BE();
  note(`${host}:${port}`);
  if (mode === "hang") return void socket.resume().on("end", () => socket.end());
  if (mode === "cut") return void socket.destroy();
  const reply = REPLIES[mode];
  if (reply) return void socket.end(replyOf(reply));
  await open(accepted, port);
}

async function logIn(socket: Socket, read: Reader, login: string): Promise<boolean> {
  const [, userBytes = 0] = await read(2);
  const user = await read(userBytes);
  const [passwordBytes = 0] = await read(1);
  const password = await read(passwordBytes);
  const isKnown = `${user}:${password}` === login;
  socket.write(Buffer.of(1, isKnown ? 0 : 1));
  return isKnown;
}

async function readHost(kind: number, read: Reader): Promise<string> {
  if (kind === 3) return String(await read((await read(1))[0] ?? 0));
  const address = ipaddr.fromByteArray([...await read(kind === 1 ? 4 : 16)]).toString();
  return kind === 1 ? address : `[${address}]`;
}

async function open(accepted: Accepted, port: number): Promise<void> {
  const { socket, mode } = accepted;
  const target = await reach(port).catch(() => undefined);
  if (!target) return void socket.end(replyOf(5));
  const rest = mode === "early" ? Buffer.from(EARLY) : NOTHING;
  await writeSlowly(socket, Buffer.concat([replyOf(0, mode === "body"), rest]), mode);
  join(accepted, target);
}

/** A reply with the address that it connects from: a name in place of an address, if wanted. */
function replyOf(status: number, hasName = false): Buffer {
  const from = hasName ? [3, 4, ...Buffer.from("here")] : [1, 0, 0, 0, 0];
  return Buffer.from([5, status, 0, ...from, 0, 0]);
}

type Reader = (bytes: number) => Promise<Buffer>;

/** Reads so many bytes of the paused socket. */
function createReader(socket: Socket): Reader {
  return async (bytes) => {
    if (bytes === 0) return NOTHING;
    for (;;) {
      const chunk = socket.read(bytes) as Buffer | null;
      if (chunk) return chunk;
      if (socket.readableEnded || socket.destroyed) throw new Error("ended");
      await new Promise((resolve) => {
        socket.once("readable", resolve);
        socket.once("close", resolve);
      });
    }
  };
}
