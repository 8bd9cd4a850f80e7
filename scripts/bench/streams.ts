/**
 * Event streams: a target that never ends its responses, and callers that keep a thousand of them open.
 * @module
 */
import { connect, createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { percentiles } from "./load.ts";
import { readUsage } from "./measure.ts";
import { formatRequest, type RawRequest } from "./raw-client.ts";
import { ResponseReader } from "./response-reader.ts";
import type { Setting } from "./cases.ts";
import { warmUp } from "./warm-up.ts";

/** How many streams are open at once. */
const STREAMS = 1_000;
/** Time between the events of a stream, in milliseconds. */
const EVENT_MS = 1_000;
const PATH = "/events";
/** Streams that warm a candidate up: fewer, but with more events, because a thousand events a second are too little. */
const WARM_STREAMS = 50;
const WARM_EVENT_MS = 10;
const WARM_PATH = "/warm-up";
/** How many times longer than other cases streams are measured, because they do little per second. */
const SECONDS_SHARE = 5;
const SAMPLE_MS = 50;
/** How long the proxy rests before its memory is read, in milliseconds. */
const IDLE_MS = 500;
const OPEN_MS = 15_000;
/** How many streams are opened before the bench yields to other programs. */
const BATCH = 50;

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

/** A server inside the bench: every request gets an event at once, and then more at the rate of its path. */
export function startEventTarget(): Promise<{ port: number; stop(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let timer: Timer | undefined;
    socket.setNoDelay(true).on("error", () => {}).on("close", () => {
      sockets.delete(socket);
      clearInterval(timer);
    });
    // A GET arrives in one piece here, and a connection whose response never ends has no second request.
    socket.once("data", (head: Buffer) => {
      socket.write(HEAD + formatEvent());
      timer = setInterval(
        () => socket.write(formatEvent()),
        head.includes(WARM_PATH) ? WARM_EVENT_MS : EVENT_MS,
      );
    });
  });
  const stop = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () => {
      resolve({ port: (server.address() as AddressInfo).port, stop });
    });
  });
}

function formatEvent(): string {
  const event = `data: ${performance.now().toFixed(3)}\n\n`;
  return `${event.length.toString(16)}\r\n${event}\r\n`;
}

/** The results of the streams. */
export interface StreamsResult {
  perSecond: number;
  cpu: number;
  p50: number;
  p99: number;
  peak: number;
  growth: number;
}

/** Opens the streams through a proxy, listens for five times as long as other cases, and closes them. */
export async function measureStreams(
  pid: number,
  of: Omit<RawRequest, "path">,
  setting: Setting,
): Promise<StreamsResult> {
  const sockets: Socket[] = [];
  await openStreams(WARM_STREAMS, { ...of, path: WARM_PATH }, { delays: [], open: 0, lost: 0 }, sockets);
  await warmUp(pid, setting, () => Bun.sleep(1_000));
  closeAll(sockets);
  const request = { ...of, path: PATH };
  await Bun.sleep(IDLE_MS);
  const idle = readUsage(pid).residentBytes;
  const heard: Heard = { delays: [], open: 0, lost: 0 };
  let top = idle;
  const sampler = setInterval(() => (top = Math.max(top, readUsage(pid).residentBytes)), SAMPLE_MS);
  try {
    await openStreams(STREAMS, request, heard, sockets);
    // All streams were opened at about the same time: the window begins and ends between their events.
    await Bun.sleep(EVENT_MS / 2);
    heard.delays = [];
    const before = readUsage(pid);
    const begun = performance.now();
    await Bun.sleep(setting.seconds * SECONDS_SHARE * 1000);
    const took = (performance.now() - begun) / 1000;
    const after = readUsage(pid);
    if (heard.lost > 0) throw new Error(`${heard.lost} of ${STREAMS} streams were lost`);
    const events = heard.delays.length;
    return {
      perSecond: events / took,
      cpu: (after.cpuMicros - before.cpuMicros) / events,
      ...percentiles(heard.delays),
      peak: after.peakBytes,
      growth: Math.max(top, after.residentBytes) - idle,
    };
  } finally {
    clearInterval(sampler);
    closeAll(sockets);
  }
}

interface Heard {
  /** From the target's write to the caller's read, in milliseconds. */
  delays: number[];
  /** Number of streams that received an event. */
  open: number;
  lost: number;
}

function closeAll(sockets: Socket[]): void {
  for (const socket of sockets.splice(0)) socket.removeAllListeners("close").destroy();
}

async function openStreams(
  count: number,
  request: RawRequest,
  heard: Heard,
  sockets: Socket[],
): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    sockets.push(openStream(request, heard));
    if (i % BATCH === 0) await Bun.sleep(1);
  }
  const begun = performance.now();
  while (heard.open < count) {
    if (heard.lost > 0 || performance.now() - begun > OPEN_MS) {
      throw new Error(`${heard.open} of ${count} streams gave an event, ${heard.lost} were lost`);
    }
    await Bun.sleep(10);
  }
}

function openStream(request: RawRequest, heard: Heard): Socket {
  let isOpen = false;
  const reader = new ResponseReader({
    onData(chunk) {
      for (const [, sent] of chunk.toString("latin1").matchAll(/data: ([\d.]+)\n/g)) {
        heard.delays.push(performance.now() - Number(sent));
        if (!isOpen) heard.open += 1;
        isOpen = true;
      }
    },
  });
  const socket = connect(request.port, "127.0.0.1", () => socket.write(formatRequest(request)));
  socket.on("data", (chunk: Buffer) => reader.push(chunk));
  return socket.on("error", () => {}).on("close", () => (heard.lost += 1));
}
