/** What a caller is told whose target is refused: the state, and the advice. @module */
import { expect, it } from "vitest";
import { hasRemedy, refuseTarget } from "../../../src/core/may/refusal.ts";
import type { Refusal } from "../../../src/core/may/private-targets.ts";
import { MESSAGE } from "../../support/message.ts";

const ASKED = { caller: { host: "proxy.test:8080" } };

const REASONS: { reason: Refusal; ends: string }[] = [
  { reason: "public_name", ends: "Use a private name" },
  { reason: "other_host", ends: "Open it in a window of its own" },
  { reason: "mixed", ends: "Use a name with addresses of one kind" },
  { reason: "remote", ends: "Use a public target" },
  { reason: "fronted", ends: "Use a public target" },
  { reason: "closed", ends: "Use a public target" },
  { reason: "unknown_host", ends: "Use an address of this proxy that HOSTS names" },
  { reason: "stranger", ends: "List the page's origin in CORS_ORIGINS" },
  { reason: "unsealed", ends: "Set the host again at /__proxy__/" },
  { reason: "unconfirmed", ends: "Open it in a browser and confirm it" },
];

it.each(REASONS)("$reason without a remedy: $ends", ({ reason, ends }) => {
  const error = refuseTarget(reason, "a.test", ASKED);
  expect(error.message).toMatch(/^Cannot reach a\.test: its .+\. [A-Z]/);
  expect(error.message).toMatch(MESSAGE);
  expect(error.message.endsWith(`. ${ends}`)).toBe(true);
  expect([error.status, error.setting]).toEqual([403, undefined]);
});

it.each(REASONS)("$reason with a remedy", ({ reason }) => {
  const error = refuseTarget(reason, "a.test", ASKED, { setting: "A=b", advice: "To allow it, set A=b" });
  expect(error.message.endsWith(". To allow it, set A=b")).toBe(true);
  expect([error.status, error.setting]).toEqual([403, "A=b"]);
});

it("names the Host that is not known", () =>
  expect(refuseTarget("unknown_host", "a.test", ASKED).message).toContain("proxy.test:8080 is not"));

it("tells a caller, who may be on this machine, what auto needs of the server", () =>
  expect(refuseTarget("remote", "a.test", ASKED).message).toContain(
    "auto allows that only in a server that is known to listen on loopback, under a loopback name",
  ));

it("leaves to the user what a setting should not end", () =>
  expect(REASONS.filter(({ reason }) => !hasRemedy(reason)).map(({ reason }) => reason))
    .toEqual(["unsealed", "unconfirmed"]));
