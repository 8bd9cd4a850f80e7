/**
 * Makes load with `wrk`.
 * @module
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { capture, LOAD_CORE } from "./processes.ts";
import { CLIENT_HEADERS } from "./raw-client.ts";

/** What to send, and for how long. */
export interface Job {
  port: number;
  path: string;
  headers: Readonly<Record<string, string>>;
  connections: number;
  /** Whole seconds. */
  seconds: number;
  /** If set, each request is a POST with that many bytes. */
  uploadBytes?: number;
  /** What differs in each request: path and query, or also a cookie, `X-Request-Id` and `traceparent`. */
  varies?: "path" | "fields";
  /** A file of header lines, of which each request that varies carries one by chance. */
  lines?: string | undefined;
}

/** The result of a job. */
interface LoadResult {
  requests: number;
  /** Bytes that arrived, heads included. */
  bytes: number;
  seconds: number;
  /** Milliseconds until a response was complete: the median and the 99th percentile. */
  p50: number;
  p99: number;
  /** Responses with a status of 400 or more, lost connections, timeouts. */
  errors: number;
}

/** Makes load for one job. */
export type Load = (job: Job) => Promise<LoadResult>;

/** Prints the results, because `wrk` rounds those in its own report. */
const WRK_SCRIPT = `
local function hex() return string.format("%08x%08x", math.random(0, 2^31 - 1), math.random(0, 2^31 - 1)) end
local function vary(hasFields, file)
  local lines, some = "", {}
  if file then for line in io.lines(file) do some[#some + 1] = line .. "\\r\\n" end end
  for name, value in pairs(wrk.headers) do lines = lines .. name .. ": " .. value .. "\\r\\n" end
  local start, rest = "GET " .. wrk.path .. "/", " HTTP/1.1\\r\\n" .. lines
  function request()
    local head = start .. hex() .. "?id=" .. hex() .. rest
    if file then head = head .. some[math.random(#some)] end
    if not hasFields then return head .. "\\r\\n" end
    return head .. "cookie: session=" .. hex() .. hex() .. "; theme=dark\\r\\nx-request-id: " .. hex() .. hex() ..
      "\\r\\ntraceparent: 00-" .. hex() .. hex() .. "-" .. hex() .. "-01\\r\\n\\r\\n"
  end
end
function init(args)
  math.randomseed(os.time())
  local bytes = tonumber(args[1])
  if args[1] == "path" or args[1] == "fields" then vary(args[1] == "fields", args[2]) end
  if bytes then
    wrk.method = "POST"
    wrk.body = string.rep("x", bytes)
    wrk.headers["content-type"] = "application/octet-stream"
  end
end
function done(summary, latency)
  local e = summary.errors
  print(string.format('RESULT {"requests":%d,"bytes":%.0f,"seconds":%.6f,"p50":%.3f,"p99":%.3f,"errors":%d}',
    summary.requests, summary.bytes, summary.duration / 1e6, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3, e.connect + e.read + e.write + e.status + e.timeout))
end
`;

/** Prepares `wrk`, and returns the function that makes load. */
export async function createLoad(folder: string): Promise<Load> {
  const script = join(folder, "wrk.lua");
  await writeFile(script, WRK_SCRIPT);
  return (job) => loadWithWrk(job, script);
}

async function loadWithWrk(job: Job, script: string): Promise<LoadResult> {
  const { port, path, connections, seconds, uploadBytes, varies = uploadBytes, lines } = job;
  const fields = Object.entries({ ...CLIENT_HEADERS, ...job.headers });
  const stdout = await capture(LOAD_CORE, [
    ...["wrk", "-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "15s", "--latency", "-s", script],
    ...fields.flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
    `http://127.0.0.1:${port}${path}`,
    ...(varies === undefined ? [] : ["--", String(varies), ...(lines ? [lines] : [])]),
  ]);
  const report = /^RESULT (.*)$/m.exec(stdout)?.[1];
  if (!report) throw new Error(`Cannot read the report of wrk: ${stdout.trim()}`);
  return JSON.parse(report);
}

/** Three percentiles; 0 if there are no values. */
export function percentiles(values: readonly number[]): { p50: number; p99: number; p999: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999) };
}
