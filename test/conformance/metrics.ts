/**
 * `METRICS`: counters that are right, and stay few.
 * @module
 */
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { expectResets } from "../support/leaving.ts";
import { readSamples } from "../support/lines.ts";
import { NOWHERE } from "../support/nowhere.ts";
import type { Pool, Shared } from "../support/topic.ts";
import { argOf, chunked, ERROR_TYPES, expectedOf, open } from "../support/topic.ts";
import { placeOf, reply, request, ROOT } from "../support/topic.ts";
import { useUpstream } from "../support/topic.ts";

const COUNT = "fetchvia_request_duration_seconds_count";
const IN = "fetchvia_request_bytes_total";
const OUT = "fetchvia_response_bytes_total";

/** How the samples have changed, without those that have not. */
async function change(proxy: Shared, act: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await readSamples(proxy);
  await act();
  const changes = Object.entries(await readSamples(proxy)).map((
    [name, value],
  ): [string, number] => [name, value - (before[name] ?? 0)]);
  return Object.fromEntries(changes.filter(([, value]) => value !== 0));
}

const requests = (selector: string, method: string, status: string) =>
  `fetchvia_requests_total{selector="${selector}",method="${method}",status="${status}"}`;

const refusals = (reason: string) => `fetchvia_refusals_total{reason="${reason}"}`;

/** The values of the scrape configuration in the docs that decide what Prometheus asks for. */
function readScrapeConfig(): { path: string; scheme: string; type: string } {
  const docs = readFileSync(`${ROOT}/docs/logs-and-metrics.md`, "utf8");
  const [, yaml = ""] = /```yaml\n(scrape_configs:\n.*?)```/s.exec(docs) ?? [];
  const read = (name: string) => new RegExp(`^ +${name}: (\\S+)$`, "m").exec(yaml)?.[1] ?? "";
  return { path: read("metrics_path"), scheme: read("scheme"), type: read("type") };
}

export function describeMetrics(pool: Pool): void {
  describe("metrics", () => {
    const proxy = pool.with({ LOG: "off", METRICS: "true" });
    const guarded = pool.with({ METRICS: "true", PROXY_TOKEN: "secret" });
    const upstream = useUpstream();
    beforeEach(() => expectResets(upstream));
    const fields = () => ({ proxy_host: upstream.origin });

    it("are text that Prometheus reads", async () => {
      const answer = await proxy.call("GET /__proxy__/metrics");
      expect(answer.header("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
      const shape =
        /^(?:# (?:HELP [a-z_]+ .+|TYPE [a-z_]+ (?:counter|gauge|histogram))|[a-z_]+(?:\{[a-z]+="[^"\\]*"(?:,[a-z]+="[^"\\]*")*\})? \d+(?:\.\d+)?(?:e-\d+)?)$/;
      expect(answer.text.trim().split("\n").filter((line) => !shape.test(line))).toEqual([]);
    });

    it("count a request with its bytes", async () => {
      upstream.answer = reply(201, {}, "x".repeat(100));
      const changed = await change(proxy, () => proxy.call("POST /p", { fields: fields(), body: "body" }));
      expect(changed).toMatchObject({ [requests("header", "POST", "2xx")]: 1, [IN]: 4 });
      expect(changed[OUT]).toBeGreaterThanOrEqual(100);
    });

    it.each([
      { line: "GET /__proxy__/?url={origin}/p", name: requests("url", "GET", "2xx") },
      { line: "HEAD /__proxy__/?url={origin}/p", name: requests("url", "HEAD", "2xx") },
      { line: "PUT {place}/p", name: requests("at", "PUT", "2xx") },
      { line: "GET /__proxy__/fetch?arg={arg}", name: requests("arg", "GET", "2xx") },
      { line: "HEAD /__proxy__/fetch?arg={arg}", name: requests("arg", "HEAD", "2xx") },
      { line: "GET /", name: requests("none", "GET", "2xx") },
      { line: "GET /__proxy__/health", name: requests("none", "GET", "2xx") },
      { line: "GET /__proxy__/nope", name: requests("none", "GET", "4xx"), error: refusals("not_found") },
      { line: "PROPFIND /", name: requests("none", "other", "2xx") },
      { line: "TRACE /", name: requests("none", "other", "4xx"), error: refusals("method_not_allowed") },
      {
        line: `GET /__proxy__/?url=http://${NOWHERE}/`,
        name: requests("url", "GET", "5xx"),
        error: `fetchvia_upstream_errors_total{type="${
          expectedOf(ERROR_TYPES, pool.runtime, "dns_error", "dns_error")
        }"}`,
      },
    ])("count $line", async ({ line, name, error }) => {
      const filled = line.replace("{origin}", upstream.origin).replace("{place}", placeOf(upstream.origin))
        .replace("{arg}", argOf({ url: upstream.origin }));
      const changed = await change(proxy, () => proxy.call(filled));
      // The look at the counters before is a request too.
      expect(changed[COUNT]).toBe(2);
      expect(changed[name]).toBeGreaterThanOrEqual(1);
      const errors = Object.entries(changed).filter(([key]) => /errors|refusals/.test(key));
      expect(errors).toEqual(error ? [[error, 1]] : []);
    });

    it("count what is in flight, until it ends", async () => {
      upstream.answer = chunked(200, {}, Array<string>(100).fill("x"), 50);
      const connection = await open(proxy.port);
      connection.write(request("GET", "/p", { Host: `127.0.0.1:${proxy.port}`, ...fields() }));
      await connection.until("\r\n\r\n");
      expect(await readSamples(proxy)).toMatchObject({ fetchvia_in_flight: 2 });
      connection.destroy();
      await expect.poll(() => readSamples(proxy)).toMatchObject({ fetchvia_in_flight: 1 });
    });

    it("stay as few, whatever callers send", async () => {
      const act = async () => {
        await proxy.call("GET /a?x", { fields: { Host: "one.test", "User-Agent": "one" } });
        await proxy.call("GET /b?y", { fields: { Host: "two.test" }, from: "127.0.0.2" });
        await proxy.call("PROPFIND /", { fields: { Host: "three.test" } });
        await proxy.call("MKCOL /");
      };
      await act();
      const before = Object.keys(await readSamples(proxy));
      await act();
      const after = await readSamples(proxy);
      expect(Object.keys(after)).toEqual(before);
      expect(JSON.stringify(after)).not.toMatch(/test|127\.|PROPFIND|MKCOL/);
    });

    it("put every request into one bucket at least, and all into the last", async () => {
      const samples = await readSamples(proxy);
      expect(samples['fetchvia_request_duration_seconds_bucket{le="+Inf"}']).toBe(samples[COUNT]);
      const all = Object.entries(samples).filter(([name]) => name.startsWith("fetchvia_requests_total"));
      expect(all.reduce((sum, [, value]) => sum + value, 0)).toBe(samples[COUNT]);
    });

    it("need the token where there is one, and a caller from here", async () => {
      expect((await guarded.call("GET /__proxy__/metrics")).status).toBe(401);
      expect((await guarded.call("GET /__proxy__/metrics?token=secret")).status).toBe(200);
      const abroad = { "Sec-Fetch-Site": "cross-site" };
      expect((await proxy.call("GET /__proxy__/metrics", { fields: abroad })).status).toBe(403);
    });

    it("are scraped by Prometheus as docs/logs-and-metrics.md configures it", async () => {
      const { path, scheme, type } = readScrapeConfig();
      expect(scheme).toBe("http");
      // What Prometheus 3 sends with it.
      const asked = (token: string) =>
        guarded.call(`GET ${path}`, {
          fields: {
            "User-Agent": "Prometheus/3.5.0",
            Accept:
              "application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.4,*/*;q=0.2",
            "Accept-Encoding": "gzip",
            Authorization: `${type} ${token}`,
            "X-Prometheus-Scrape-Timeout-Seconds": "10",
          },
        });
      const answer = await asked("secret");
      expect([answer.status, answer.header("content-type")])
        .toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
      expect(answer.text).toContain("# TYPE fetchvia_requests_total counter");
      expect((await asked("wrong")).status).toBe(401);
    });
  });
}
