/**
 * `fetchvia policy` as a process: the proxy with its table and token allows what was seen, and no other request.
 * @module
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommandWith } from "../support/command.ts";
import { Dice } from "../support/dice.ts";
import type { Pool } from "../support/pool.ts";
import { startProxy } from "../support/proxy.ts";
import { dealMutants, fieldsOf, linesOf, type Sent, sentOf } from "../support/record.ts";
import { reply, useUpstream } from "../support/topic.ts";

const SIGNING_KEY = "the key of the tests";
const PATHS = [
  "GET http /v1/models",
  "POST http /v1/items",
  "GET http /",
  "GET ws /v1/live",
  "GET http /a%2fb/../c;d",
];

/** Declares the tests. */
export function describePolicy(pool: Pool): void {
  describe("the command policy", () => {
    let folder: string;
    beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "fetchvia-policy-"))));
    afterAll(() => rmSync(folder, { recursive: true }));
    const upstream = useUpstream();

    it("writes a table and a token that allow what was seen, and none of 40 other requests", async () => {
      const host = new URL(upstream.origin).host;
      const seen = PATHS.map((text) => {
        const [method, scheme, path] = text.split(" ");
        return sentOf(`${method} ${scheme}://${host}${path}`);
      });
      const record = linesOf([...seen, ...seen]);
      const written = await runCommandWith(pool.runtime, ["policy"], `${record}{"time":`);
      expect([written.code, written.stderr])
        .toEqual([0, `fetchvia: line ${2 * seen.length + 1} of "-" is torn: it has no end\n`]);
      const file = join(folder, `${pool.runtime}.json`);
      writeFileSync(file, written.stdout);
      const [, command = ""] = JSON.parse(written.stdout).$comment;
      const flags = [...command.matchAll(/(--\w+) '?([^ ']+)/g)].flatMap(([, flag, value]) => [flag, value]);
      const { stdout } = await runCommandWith(pool.runtime, ["token", ...flags], "", { SIGNING_KEY });
      const proxy = await startProxy(pool.runtime, { TARGETS: file, SIGNING_KEY, CALLER_TOKENS: "true" });
      upstream.answer = reply(401, {}, "");
      const ask = async (sent: Sent) => {
        const fields = { ...fieldsOf(sent), proxy_token: stdout.trim() };
        return (await proxy.call(`${sent.method} ${sent.path}`, { fields })).status;
      };
      for (const sent of seen) expect([sent, await ask(sent)]).toEqual([sent, 401]);
      const mutants = dealMutants(seen, 40, new Dice(22));
      // A name may be looked up before its entry is asked: claims with addresses judge what it resolves to.
      const refusals = [400, 403, 502];
      for (const sent of mutants) expect([sent, refusals.includes(await ask(sent))]).toEqual([sent, true]);
      expect(upstream.targets).toEqual(seen.map(({ path }) => path));
      await proxy.stop();
    });

    it("writes the table for a session of 200 requests in report mode, which all pass with it", async () => {
      const host = new URL(upstream.origin).host;
      const [audit, table] = ["jsonl", "table.json"].map((end) => join(folder, `${pool.runtime}.${end}`));
      const TARGETS = JSON.stringify({ [host]: { methods: ["GET"], paths: ["/v1/"] } });
      const dice = new Dice(47);
      const session = Array.from({ length: 200 }, () => ({
        line: `${dice.pick(["GET", "POST", "PUT"])} /${dice.pick(["v1", "v2"])}/${
          dice.pick(["a", "b", "c"])
        }?${dice.roll()}`,
        by: dice.pick(["header", "url"]),
      }));
      upstream.answer = reply(401, {}, "");
      const ask = async (settings: Record<string, string>, ...lists: readonly (typeof session)[]) => {
        const proxy = await startProxy(pool.runtime, settings);
        const told = lists.map(() => new Set<number>());
        for (const [index, requests] of lists.entries()) {
          for (const { line, by } of requests) {
            const [method, path] = line.split(" ");
            const url = `${method} /__proxy__/?url=${encodeURIComponent(upstream.origin + path)}`;
            const call = by === "url" ? [url, {}] as const : [line, { proxy_host: upstream.origin }] as const;
            told[index]!.add((await proxy.call(call[0], { fields: call[1] })).status);
          }
        }
        await proxy.stop();
        return told.map((statuses) => [...statuses]);
      };
      expect(await ask({ TARGETS, AUDIT: audit!, GATE: "report" }, session)).toEqual([[401]]);
      const verdicts = readFileSync(audit!, "utf8").match(/(?<="verdict":")\w+/g) ?? [];
      expect([verdicts.length, [...new Set(verdicts)].sort()]).toEqual([200, ["allowed", "would_refuse"]]);
      const { code, stdout } = await runCommandWith(pool.runtime, ["policy", audit!], "");
      expect(code).toBe(0);
      writeFileSync(table!, stdout);
      const others = ["DELETE /v1/a", "GET /v1/d", "GET /v1/", "GET /v3/a"].map((line) => ({
        line,
        by: "header",
      }));
      expect(await ask({ TARGETS: table! }, session, others)).toEqual([[401], [403]]);
    });
  });
}
