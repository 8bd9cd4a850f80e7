/** Each decision is recorded once, before the request goes on. @module */
import { expect, it } from "vitest";
import { auditRules } from "../../../src/parts/audit/witness.ts";
import { NO_HOOKS } from "../../../src/core/exchange/hooks.ts";
import { RequestRecord } from "../../../src/core/exchange/record.ts";
import { ProxyError } from "../../../src/core/http/error.ts";
import { readDecisions } from "../../support/recorded.ts";
import { rowsOf } from "../../support/rows.ts";

const REFUSED = new ProxyError("forbidden", "Cannot reach a.test: DENY_TARGETS refuses it", {
  names: ["DENY_TARGETS"],
});
const GONE = new ProxyError("connection_refused", "Cannot reach a.test");
const hop = () => ({ origin: new URL("https://a.test"), path: "/", method: "GET", isSocket: false });

it("records a hop once: what fails behind it is no decision, the next hop is one", async () => {
  const lines: string[] = [];
  const { witness } = auditRules((line) => void lines.push(line), true);
  const record = new RequestRecord("GET", []);
  record.hop = hop();
  await witness!(record, NO_HOOKS, ["192.0.2.1"]);
  await witness!(record, NO_HOOKS, GONE);
  record.hop = hop();
  await witness!(record, NO_HOOKS, REFUSED);
  const { id } = record;
  expect(readDecisions(lines)).toMatchObject([
    { id, verdict: "allowed" },
    { id, verdict: "refused", reason: "Cannot reach a.test: denyTargets refuses it" },
  ]);
});

it.each(rowsOf(["about", "write"], [
  ["throws", () => {
    throw new Error("full");
  }],
  ["rejects", () => Promise.reject(new Error("full"))],
]))("fails the request if the line can't be written: it $about", async ({ write }) => {
  const { witness } = auditRules(write, true);
  const record = new RequestRecord("GET", []);
  record.hop = hop();
  await expect(witness!(record, NO_HOOKS, ["192.0.2.1"])).rejects.toThrow(
    expect.objectContaining({
      code: "unrecorded",
      headers: { "retry-after": "5" },
      message: expect.stringContaining("where audit writes"),
    }),
  );
  // The refusal of that is no second decision.
  await expect(witness!(record, NO_HOOKS, GONE)).resolves.toBeUndefined();
});

it("waits until the line is written", async () => {
  let finish = () => {};
  const { witness } = auditRules(() => new Promise<void>((resolve) => (finish = resolve)));
  let isOver = false;
  const told = witness!(new RequestRecord("GET", []), NO_HOOKS, REFUSED).then(() => void (isOver = true));
  await Promise.resolve();
  expect(isOver).toBe(false);
  finish();
  await told;
});
