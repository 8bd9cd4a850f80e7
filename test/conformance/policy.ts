/**
 * `fetchvia policy` as a process: the proxy with its table and token allows what was seen, and no other request.
 * @module
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rowsOnce } from "../support/capabilities.ts";
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

    it("writes a table and a token that allow what was seen, and none of 200 other requests", async () => {
      const host = new URL(upstream.origin).host;
      const seen = PATHS.map((text) => {
        const [method, scheme, path] = text.split(" ");
        return sentOf(`${method} ${scheme}://${host}${path}`);
      });
      const record = linesOf([...seen, ...seen]);
      const written = await runCommandWith(pool.runtime, ["policy"], `${record}{"time":`);
      expect([written.code, written.stderr]).toEqual([
        0,
        `fetchvia: line ${2 * seen.length + 1} of "-" is torn: it has no end\n`,
      ]);
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
      const mutants = dealMutants(seen, 200, new Dice(22));
      // A name may be looked up before its entry is asked: claims with addresses judge what it resolves to.
      const refusals = [400, 403, 502];
      for (const sent of mutants) expect([sent, refusals.includes(await ask(sent))]).toEqual([sent, true]);
      expect(upstream.targets).toEqual(seen.map(({ path }) => path));
      await proxy.stop();
    });

    it.each(rowsOnce(pool.runtime, [
      { words: ["policy"], input: "", says: "Cannot write a policy: nothing was allowed (0 refused" },
      { words: ["policy", "-"], input: "\n", says: "Cannot write a policy: nothing was allowed (0 refused" },
      {
        words: ["policy", "/nowhere\u001b[2J"],
        input: "",
        says: 'Cannot read "/nowhere\\u001b[2J", expected',
      },
      {
        words: ["policy", "--caller"],
        input: "",
        says: "'--caller', expected --caller-id (see fetchvia policy",
      },
      { words: ["policy", "--json=1"], input: "", says: "--json" },
    ]))("is refused with one line: $words", async ({ words, input, says }) => {
      const { code, stdout, stderr } = await runCommandWith(pool.runtime, words, input);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(/^fetchvia: [^\n\p{Cc}]+\n$/u);
      expect(stderr).toContain(says);
    });
  });
}
