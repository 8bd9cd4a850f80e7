/** Where the lines of `AUDIT` go. @module */
import { expect, it } from "vitest";
import { makeAudit } from "../../../src/parts/audit/part.ts";
import { NO_HOOKS } from "../../../src/core/exchange/hooks.ts";
import { RequestRecord } from "../../../src/core/exchange/record.ts";
import { readOptions } from "../../../src/core/settings/config.ts";
import { createProxy } from "../../../src/index.ts";
import { hostOf } from "../../support/part.ts";

const config = readOptions({});

it.each(["function", "file"])("are given to a %s", async (to) => {
  const lines: string[] = [];
  const take = (line: string) => void lines.push(line);
  const part = to === "file"
    ? makeAudit({ to: "audit.jsonl", isLoose: false }, hostOf(config, { audit: take }))
    : makeAudit({ to: take, isLoose: false }, hostOf(config));
  await part.prepare!();
  await part.rules!()!.witness!(new RequestRecord("GET", []), NO_HOOKS, undefined);
  expect(lines).toHaveLength(1);
});

it("are refused where no file can be written", () =>
  expect(() => createProxy({ audit: "audit.jsonl" })).toThrow(
    'audit is "audit.jsonl", expected none here: no file can be written. Pass a function as option audit',
  ));
