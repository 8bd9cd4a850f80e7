/**
 * `npm run soak`: sends requests to one proxy for a long time, with a target that breaks four responses in ten, and prints
 * the proxy's memory every minute. All sound responses must arrive complete.
 * @module
 */
import { Agent, request } from "node:http";
import { parseArgs } from "node:util";
import { commandOf, type RuntimeName } from "../test/support/proxy.ts";
import { readUsage } from "./bench/measure.ts";
import { readCount } from "./bench/options.ts";
import { findPort, pinSelf, proxyCores, start, stopAll, waitUntilReady } from "./bench/processes.ts";
import { isSound, PATHS, startFaultyTarget } from "./soak/faulty-target.ts";
import { soakOwnBytes } from "./soak/own-bytes.ts";

const HELP = `npm run soak -- [options]
  --runtime=name  bun, deno or node (built before); default deno
  --minutes=n     how long, default 30
  --rate=n        requests per second, default 200
  --own-bytes     instead: 10⁹ bytes whose every one tells whose it is; none may come to anybody else`;

const RUNTIMES: readonly RuntimeName[] = ["bun", "deno", "node"];
const TICK_MS = 20;
const MINUTE_MS = 60_000;
/** How long the last requests may take after the last minute, in milliseconds. */
const LAST_MS = 5_000;
const MIB = 2 ** 20;
const UPLOAD = Buffer.alloc(20_000, "u");

/** The outcomes of the requests so far. */
const counts = { sent: 0, whole: 0, answeredByProxy: 0, cut: 0, lost: 0 };

interface SoakOptions {
  runtime: RuntimeName;
  minutes: number;
  rate: number;
  isOwnBytes: boolean;
}

function readOptions(): SoakOptions | undefined {
  const { values } = parseArgs({
    options: {
      help: { type: "boolean" },
      runtime: { type: "string", default: "deno" },
      minutes: { type: "string" },
      rate: { type: "string" },
      "own-bytes": { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const runtime = RUNTIMES.find((name) => name === values.runtime);
  if (!runtime) throw new Error(`--runtime is "${values.runtime}", expected ${RUNTIMES.join(", ")}`);
  return {
    runtime,
    minutes: readCount("minutes", values.minutes, 30),
    rate: readCount("rate", values.rate, 200),
    isOwnBytes: values["own-bytes"],
  };
}

/** Sends one request, and counts its outcome in `counts`. */
function ask(agent: Agent, port: number, path: string): void {
  const method = path === "/upload" ? "POST" : "GET";
  counts.sent += 1;
  const outgoing = request({ agent, host: "127.0.0.1", port, path, method }, (answer) => {
    answer.resume().once("close", () => {
      const isWhole = answer.complete && answer.statusCode === 200;
      if (isWhole) counts.whole += 1;
      else if (answer.statusCode === 200) counts.cut += 1;
      else counts.answeredByProxy += 1;
      if (isSound(path) && !isWhole) {
        tellLoss(path, `${answer.statusCode} ${answer.headers["proxy-status"] ?? ""}`);
      }
    });
  });
  outgoing.on("error", ({ message }) => {
    counts.cut += 1;
    if (isSound(path)) tellLoss(path, message);
  });
  outgoing.end(method === "POST" ? UPLOAD : undefined);
}

/** Reports a sound response that did not arrive complete. */
function tellLoss(path: string, reason: string): void {
  counts.lost += 1;
  console.error(`lost: ${path}, ${reason}`);
}

/** Prints a line each minute, until the time is over; returns the memory of each minute, in bytes. */
async function watch(pid: number, minutes: number): Promise<number[]> {
  const sizes: number[] = [];
  console.log("| minute | memory MB | requests | whole | errors of the proxy | cut | sound but lost |");
  console.log("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
  for (let minute = 1; minute <= minutes; minute += 1) {
    await Bun.sleep(MINUTE_MS);
    const { residentBytes } = readUsage(pid);
    sizes.push(residentBytes);
    const row = [minute, Math.round(residentBytes / MIB), ...Object.values(counts)];
    console.log(`| ${row.map((cell) => cell.toLocaleString("en")).join(" | ")} |`);
  }
  return sizes;
}

async function soak({ runtime, minutes, rate }: SoakOptions): Promise<boolean> {
  pinSelf();
  const [target, port] = [await startFaultyTarget(), await findPort()];
  const env = {
    HOST: "127.0.0.1",
    PORT: String(port),
    TARGET: `http://127.0.0.1:${target}`,
    TIMEOUT_MS: "2000",
  };
  const [program, ...args] = commandOf(runtime);
  const proxy = start(proxyCores(), { command: [program, ...args], env });
  await waitUntilReady(proxy, port, "/__proxy__/health");
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const begun = performance.now();
  const clock = setInterval(() => {
    const due = Math.floor((performance.now() - begun) / 1000 * rate);
    while (counts.sent < due) ask(agent, port, PATHS[counts.sent % PATHS.length]!);
  }, TICK_MS);
  const sizes = await watch(proxy.pid, minutes);
  clearInterval(clock);
  await Bun.sleep(LAST_MS);
  await proxy.stop();
  console.log(`\n${runtime}: ${describe(sizes)}; ${counts.lost} sound answers were lost`);
  return counts.lost === 0;
}

/** The mean memory in each third of the time. */
function describe(sizes: readonly number[]): string {
  const third = Math.ceil(sizes.length / 3);
  const parts = [0, 1, 2].map((at) => sizes.slice(at * third, (at + 1) * third));
  const means = parts.filter(({ length }) => length > 0).map((part) =>
    Math.round(part.reduce((sum, size) => sum + size, 0) / part.length / MIB)
  );
  return `memory ${means.join(", ")} MB in the thirds of the time`;
}

process.once("exit", stopAll);
try {
  const options = readOptions();
  if (options) {
    const isSafe = options.isOwnBytes ? soakOwnBytes(options.runtime) : await soak(options);
    process.exit(isSafe ? 0 : 1);
  }
  console.log(HELP);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
