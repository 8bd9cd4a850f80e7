/**
 * A policy without the upgrade of requests.
 * @module
 */
import { expect, it } from "vitest";
import { withoutUpgrade } from "../../src/http/content-policy.ts";

it.each([
  { value: "default-src 'self'", kept: "default-src 'self'" },
  { value: "upgrade-insecure-requests", kept: undefined },
  { value: " Upgrade-Insecure-Requests ; ", kept: undefined },
  { value: "upgrade-insecure-requests; img-src *", kept: "img-src *" },
  { value: "img-src *;upgrade-insecure-requests", kept: "img-src *" },
  { value: "a b; upgrade-insecure-requests;c d", kept: "a b;c d" },
  { value: "a b; UPGRADE-insecure-requests x; c d", kept: "a b; c d" },
  { value: "a b, upgrade-insecure-requests", kept: "a b" },
  { value: "a b, upgrade-insecure-requests; c d", kept: "a b, c d" },
  { value: "upgrade-insecure-requests, a b", kept: "a b" },
  {
    value: "upgrade-insecure-requests-too; a upgrade-insecure-requests",
    kept: "upgrade-insecure-requests-too; a upgrade-insecure-requests",
  },
])("$value is $kept", ({ value, kept }) => {
  expect(withoutUpgrade(value)).toBe(kept);
});
