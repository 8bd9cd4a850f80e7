/**
 * What a caller is told whose target is refused: the one setting that opens it, word for word.
 * @module
 */
import { expect, it } from "vitest";
import { type Options, readOptions } from "../../src/settings/config.ts";
import { refuseTarget } from "../../src/exchange/refusal.ts";
import type { Refusal } from "../../src/exchange/rights.ts";

const NAME = "staging.corp.example";

const rows: { reason: Refusal | "mixed"; options?: Options; ends: string; setting?: string }[] = [
  { reason: "public_name", ends: `PRIVATE_TARGETS=auto,${NAME}`, setting: `PRIVATE_TARGETS=auto,${NAME}` },
  {
    reason: "other_host",
    options: { privateTargets: "auto,a.test:81,*.b.test,10.0.0.0/8,[fd00::]/8:443,::1" },
    ends: `PRIVATE_TARGETS=auto,a.test:81,*.b.test,10.0.0.0/8,[fd00::]/8:443,::1,${NAME}`,
    setting: `PRIVATE_TARGETS=auto,a.test:81,*.b.test,10.0.0.0/8,[fd00::]/8:443,::1,${NAME}`,
  },
  { reason: "mixed", ends: `PRIVATE_TARGETS=auto,${NAME}`, setting: `PRIVATE_TARGETS=auto,${NAME}` },
  { reason: "remote", ends: "PRIVATE_TARGETS=true", setting: "PRIVATE_TARGETS=true" },
  { reason: "fronted", ends: "PRIVATE_TARGETS=true", setting: "PRIVATE_TARGETS=true" },
  { reason: "unknown_host", ends: "HOSTS=proxy.test", setting: "HOSTS=proxy.test" },
  { reason: "stranger", ends: ". List the page's origin in CORS_ORIGINS" },
  { reason: "unsealed", ends: ". Set the host again at /__proxy__/" },
  { reason: "closed", ends: ". Use a public target" },
  { reason: "unconfirmed", ends: ". Open it in a browser and confirm it" },
];

it.each(rows)("$reason with $options: $ends", ({ reason, options = {}, ends, setting }) => {
  const error = refuseTarget(reason, { target: NAME, host: "proxy.test:8080", config: readOptions(options) });
  expect(error.message).toMatch(/^Cannot reach staging\.corp\.example: its .+\. [A-Z]/);
  expect(error.message.endsWith(setting ? `. To allow it, set ${ends}` : ends)).toBe(true);
  expect(error.setting).toBe(setting);
  expect(error.status).toBe(403);
});
