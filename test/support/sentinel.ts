/**
 * The target of the access tests: it listens on every address of its network, and tells which ones were dialled.
 * @module
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Server, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { setTimeout as sleep } from "node:timers/promises";
import { SIGNED_CERTIFICATE, SIGNED_KEY } from "./authority.ts";

/** One request as the target saw it. */
interface Seen {
  /** The address and port that were dialled. */
  dialled: string;
  path: string;
  host: string;
  /** The name in the TLS handshake; `""` without. */
  sni: string;
}

/** All that one request brought: its line, every field, its body. */
export interface Heard {
  /** The address and port that were dialled. */
  dialled: string;
  host: string;
  text: string;
}

/** What has arrived since it was last forgotten. */
export interface Sight {
  /** The address and port of every connection, even of one that stays silent. */
  connections: string[];
  requests: Seen[];
}

/** Nothing at all. */
export const NOTHING: Sight = { connections: [], requests: [] };

/** Ports of the sentinel. */
const PLAIN_PORTS: readonly number[] = [80, 8000];
const SECURE_PORT = 443;

/** Addresses that the network owns beside 127.0.0.0/8 and ::1, so that a dialled one answers. */
export const OWNED: readonly string[] = [
  ...["8.8.4.4", "93.184.216.34", "2606:4700::1111"],
  ...["10.1.2.3", "100.64.0.1", "172.16.0.1", "192.168.0.1", "198.18.0.1", "fd00::1"],
  ...["169.254.169.254", "168.63.129.16", "100.100.100.200", "fd00:ec2::254", "192.0.2.1", "240.0.0.1"],
  ...["::7f00:1", "64:ff9b::7f00:1", "64:ff9b:1::7f00:1", "::ffff:0:7f00:1", "2002:7f00:1::"],
  ...["2001:0:7f00:1::", "2001:0:808:808::80ff:fffe"],
  ...["::a9fe:a9fe", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a9fe:a9fe", "2002:a9fe:a9fe::"],
  ...["2001:0:a9fe:a9fe::", "2001:0:808:808::5601:5601"],
];

/** Does somebody listen there. */
export function isOwned(address: string): boolean {
  return OWNED.includes(address) || /^(?:127\.|::1?$|0\.0\.0\.0$)/.test(address);
}

/** What the target answers: a path `/to/<address>` or `/to307/<address>` leads there, every other one is a 200. */
export function answerPath(path: string): { status: number; location?: string } {
  const [, status = "302", to] = /^\/to(\d{3})?\/(.+)$/.exec(path) ?? [];
  return to === undefined ? { status: 200 } : { status: Number(status), location: decodeURIComponent(to) };
}

/** The path that leads to this address. */
export function leadTo(address: string, status?: 303 | 307): string {
  return `/to${status ?? ""}/${encodeURIComponent(address)}`;
}

/** `address:port` as it stands in an address; IPv4 inside IPv6 as IPv4. */
export function formatDialled(address: string, port: number): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, "");
  return `${plain.includes(":") ? `[${plain}]` : plain}:${port}`;
}

/** Listens on every address, with and without TLS. */
export class Sentinel {
  #sight: Sight = { connections: [], requests: [] };
  #heard: Heard[] = [];

  async listen(): Promise<void> {
    const answer: RequestListener = (request, response) => {
      this.#sight.requests.push(readSeen(request));
      this.#hear(request);
      const { status, location } = answerPath(request.url ?? "");
      response.writeHead(status, location === undefined ? {} : { location }).end(`seen ${request.url}`);
    };
    const tls = { cert: SIGNED_CERTIFICATE, key: SIGNED_KEY };
    await Promise.all(["0.0.0.0", "::"].flatMap((host) => [
      ...PLAIN_PORTS.map((port) => this.#start(createServer(answer), host, port)),
      this.#start(createSecureServer(tls, answer), host, SECURE_PORT),
    ]));
  }

  /** What has arrived; waits a little for what may be on its way. */
  async look(): Promise<Sight> {
    await sleep(10);
    return this.#sight;
  }

  forget(): void {
    this.#sight = { connections: [], requests: [] };
    this.#heard = [];
  }

  /** All that was sent; waits a little for what may be on its way. */
  async hear(): Promise<Heard[]> {
    await sleep(10);
    return this.#heard;
  }

  #hear(request: IncomingMessage): void {
    const { method, url, rawHeaders } = request;
    const { dialled, host } = readSeen(request);
    const heard = { dialled, host, text: [method, url, ...rawHeaders].join("\n") };
    this.#heard.push(heard);
    request.setEncoding("latin1").on("data", (text: string) => (heard.text += text));
  }

  async #start(server: Server, host: string, port: number): Promise<void> {
    server.on("connection", (socket: Socket) => {
      this.#sight.connections.push(formatDialled(socket.localAddress ?? "", port));
    });
    // As a proxy that was asked for a tunnel, it says what for, and gives none.
    server.on("connect", (request: IncomingMessage, socket: Socket) => {
      this.#sight.requests.push(readSeen(request));
      socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
    });
    server.on("tlsClientError", () => {});
    server.listen({ host, port, ipv6Only: host === "::" });
    await once(server, "listening");
  }
}

function readSeen({ socket, url = "", headers }: IncomingMessage): Seen {
  const { localAddress = "", localPort = 0, servername } = socket as TLSSocket;
  return {
    dialled: formatDialled(localAddress, localPort),
    path: url,
    host: headers.host ?? "",
    sni: servername || "",
  };
}
