/**
 * A name server of the tests' own: what it answers is scripted, turn by turn, and it counts what it is asked.
 * @module
 */
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import ipaddr from "ipaddr.js";

/** The two kinds of address. */
export type Kind = "a" | "aaaa";

/** How a name can fail; the numbers are the response codes of RFC 1035 §4.1.1. */
const FAULTS = { servfail: 2, nxdomain: 3, refused: 5, silence: -1 };

/** How a name can fail: `silence` is no answer at all. */
export type Fault = keyof typeof FAULTS;

/** What a name resolves to: one list for each look-up, the last one for all later ones. Empty unless given. */
export interface NameScript {
  a?: string[][];
  aaaa?: string[][];
  fault?: Fault;
  /** So many milliseconds AAAA takes; -1 where it is never answered. At once unless given. */
  aaaaMs?: number;
  /** So many seconds its addresses hold, a minute unless given. */
  ttl?: number;
}

/** Every name by itself; one that is not there does not exist. */
export type NameTable = Readonly<Record<string, NameScript>>;

/** The names of the tests, without a wire. */
export class Names {
  readonly #scripts = new Map<string, NameScript>();
  readonly #asked = new Map<string, number>();

  add(table: NameTable): void {
    for (const [name, script] of Object.entries(table)) this.#scripts.set(name, script);
  }

  /** One look-up. */
  ask(name: string, kind: Kind): string[] | Fault {
    const key = `${kind} ${name.toLowerCase().replace(/\.$/, "")}`;
    const turn = this.#asked.get(key) ?? 0;
    this.#asked.set(key, turn + 1);
    const script = this.#scripts.get(key.slice(kind.length + 1));
    if (!script) return "nxdomain";
    const turns = script[kind] ?? [];
    if (kind === "aaaa" && script.aaaaMs === -1) return "silence";
    return script.fault ?? turns[Math.min(turn, turns.length - 1)] ?? [];
  }

  /** How many milliseconds an answer takes. */
  delay(name: string, kind: Kind): number {
    const { aaaaMs = 0 } = this.#scripts.get(name.toLowerCase().replace(/\.$/, "")) ?? {};
    return kind === "aaaa" ? Math.max(0, aaaaMs) : 0;
  }

  /** How many seconds an answer holds. */
  ttl(name: string): number {
    return this.#scripts.get(name.toLowerCase().replace(/\.$/, ""))?.ttl ?? 60;
  }

  /** How many look-ups there were, of both kinds. */
  count(name: string): number {
    return (this.#asked.get(`a ${name}`) ?? 0) + (this.#asked.get(`aaaa ${name}`) ?? 0);
  }
}

const TYPES: Record<number, Kind | undefined> = { 1: "a", 28: "aaaa" };
const HEADER_LENGTH = 12;

/** Answers by UDP what the names say. */
export async function serveNames(names: Names, address: string, port: number): Promise<Socket> {
  const socket = createSocket("udp4");
  socket.on("message", (query, { address: peer, port: peerPort }) => {
    const { bytes, delay } = answerQuery(query, names);
    if (bytes) setTimeout(() => socket.send(bytes, peerPort, peer), delay);
  });
  socket.bind(port, address);
  await once(socket, "listening");
  return socket;
}

/** The answer to one query, none where the script is silent, and how many milliseconds it takes. */
function answerQuery(query: Buffer, names: Names): { bytes?: Buffer; delay: number } {
  const { name, end } = readName(query);
  const kind = TYPES[query.readUInt16BE(end)];
  const found = kind ? names.ask(name, kind) : [];
  const delay = kind ? names.delay(name, kind) : 0;
  if (found === "silence") return { delay };
  const records = typeof found === "string"
    ? []
    : found.map((address) => writeRecord(address, names.ttl(name)));
  const head = Buffer.alloc(HEADER_LENGTH);
  query.copy(head, 0, 0, 2);
  // A response to a standard query, recursion asked for and available.
  head.writeUInt16BE(0x8180 | (typeof found === "string" ? FAULTS[found] : 0), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return { bytes: Buffer.concat([head, query.subarray(HEADER_LENGTH, end + 4), ...records]), delay };
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_LENGTH;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join("."), end: at + 1 };
}

/** The record of an address: the name of the question, its type, class IN, its TTL. */
function writeRecord(address: string, ttl: number): Buffer {
  const bytes = ipaddr.parse(address).toByteArray();
  const type = bytes.length === 4 ? 1 : 28;
  return Buffer.from([0xc0, HEADER_LENGTH, 0, type, 0, 1, 0, 0, 0, ttl, 0, bytes.length, ...bytes]);
}
