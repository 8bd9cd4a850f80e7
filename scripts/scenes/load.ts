/**
 * Load from raw sockets, and a target that is quick enough for it.
 * @module
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

const HEAD_END = "\r\n\r\n";
const ANSWER = Buffer.from(
  "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok",
);
const CONNECTIONS = 16;
/** The charts count in columns of so many milliseconds. */
const COLUMN_MS = 2_000;

/** A target that answers every head with the same bytes. */
export interface QuickTarget {
  origin: string;
  close(): void;
}

/** Starts a quick target. */
export async function startQuickTarget(): Promise<QuickTarget> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    onHeads(socket, () => socket.write(ANSWER));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** What was really sent and answered. */
export interface Truth {
  answered: number;
  seconds: number;
  /** The highest rate of the charts' columns, in requests a second. */
  peak: number;
}

/** What to send. */
export interface Job {
  port: number;
  origin: string;
  /** How many requests. */
  many: number;
  /** Requests a second; as fast as they are answered unless given. */
  rate?: number;
}

/** Sends `GET /load` through the proxy and counts what is answered. */
export async function sendLoad({ port, origin, many, rate }: Job): Promise<Truth> {
  const request = `GET /load HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nproxy_host: ${origin}${HEAD_END}`;
  const columns = new Map<number, number>();
  const start = performance.now();
  let [begun, answered] = [0, 0];
  const run = async () => {
    const socket = connect(port, "127.0.0.1");
    const answers = readAnswers(socket);
    while (begun < many) {
      const due = rate === undefined ? 0 : start + begun * 1_000 / rate - performance.now();
      begun += 1;
      if (due > 0) await new Promise((resolve) => setTimeout(resolve, due));
      socket.write(request);
      await answers();
      answered += 1;
      const column = Math.floor(Date.now() / COLUMN_MS);
      columns.set(column, (columns.get(column) ?? 0) + 1);
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, run));
  return {
    answered,
    seconds: (performance.now() - start) / 1_000,
    peak: Math.max(...columns.values()) / (COLUMN_MS / 1_000),
  };
}

/** Each call settles with the next answer; every one ends with `ok`. */
function readAnswers(socket: Socket): () => Promise<void> {
  let [text, settle, fail] = ["", () => {}, (_: Error) => {}];
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    text += chunk;
    if (!text.endsWith(`${HEAD_END}ok`) && !/\r\n2\r\nok\r\n0\r\n\r\n$/.test(text)) return;
    text = "";
    settle();
  });
  socket.on("error", (error) => fail(error));
  socket.on("close", () => fail(new Error("the proxy closed a connection of the load")));
  return () =>
    new Promise<void>((resolve, reject) => {
      [settle, fail] = [resolve, reject];
    });
}

function onHeads(socket: Socket, onHead: () => void): void {
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    const heads = (text + chunk).split(HEAD_END);
    text = heads.pop() ?? "";
    for (const _ of heads) onHead();
  });
}
