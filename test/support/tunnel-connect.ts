/**
 * The side of a tunnel proxy that is asked by CONNECT.
 * @module
 */
import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { type Accepted, EARLY, join, reach, type TunnelMode, writeSlowly } from "./tunnel-parts.ts";

const REFUSALS: Partial<Record<TunnelMode, string>> = {
  refuse: "403 Forbidden",
  login: "407 Proxy Authentication Required",
  dead: "502 Bad Gateway",
  late: "504 Gateway Timeout",
};

const OPENINGS: Partial<Record<TunnelMode, string>> = {
  body: "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n",
  interim: "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.0 200 Connection established\r\n\r\n",
  early: `HTTP/1.1 200 OK\r\n\r\n${EARLY}`,
};
const OPENED = "HTTP/1.1 200 Connection established\r\n\r\n";

/** Reads one CONNECT and does what the mode says. */
export function acceptConnect(accepted: Accepted): void {
  const { socket } = accepted;
  let received = Buffer.alloc(0);
  const read = (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    const end = received.indexOf("\r\n\r\n");
    if (end < 0) return;
    socket.off("data", read).pause();
    const rest = received.subarray(end + 4);
    if (rest.length) socket.unshift(rest);
    answer(received.toString("latin1", 0, end), accepted);
  };
  socket.on("data", read);
}

function answer(head: string, accepted: Accepted): void {
  const { socket, mode, login, note } = accepted;
  const [, authority = ""] = /^CONNECT (\S+) HTTP\/1\.1\r\n/.exec(head) ?? [];
  note(authority, head);
  if (mode === "hang") return void socket.resume().on("end", () => socket.end());
  if (mode === "cut") return void socket.destroy();
  if (mode === "garbage") return void socket.write("SSH-2.0-OpenSSH_9.9\r\n");
  const refusal = REFUSALS[mode] ?? (isKnown(head, login) ? undefined : REFUSALS.login);
  if (refusal) return refuse(socket, refusal);
  const port = Number(authority.slice(authority.lastIndexOf(":") + 1));
  void open(accepted, port);
}

function isKnown(head: string, login: string): boolean {
  if (!login) return true;
  const [, basic = ""] = /\r\nProxy-Authorization: Basic (\S+)/.exec(head) ?? [];
  return Buffer.from(basic, "base64").toString() === login;
}

function refuse(socket: Socket, status: string): void {
  socket.resume().end(`HTTP/1.1 ${status}\r\nContent-Length: 2\r\n\r\nno`);
}

async function open(accepted: Accepted, port: number): Promise<void> {
  const { socket, mode } = accepted;
  try {
    const target = await reach(port);
    await writeSlowly(socket, Buffer.from(OPENINGS[mode] ?? OPENED), mode);
    join(accepted, target);
  } catch {
    refuse(socket, "502 Bad Gateway");
  }
}
