/** A policy without the upgrade of requests. */
import { expect, it } from "vitest";
import { withoutUpgrade } from "../../../src/core/http/content-policy.ts";
import { rowsOf } from "../../support/rows.ts";

it.each(rowsOf(["value", "kept"], [
  ["default-src 'self'", "default-src 'self'"],
  ["upgrade-insecure-requests", undefined],
  [" Upgrade-Insecure-Requests ; ", undefined],
  ["upgrade-insecure-requests; img-src *", "img-src *"],
  ["img-src *;upgrade-insecure-requests", "img-src *"],
  ["a b; upgrade-insecure-requests;c d", "a b;c d"],
  ["a b; UPGRADE-insecure-requests x; c d", "a b; c d"],
  ["a b, upgrade-insecure-requests", "a b"],
  ["a b, upgrade-insecure-requests; c d", "a b, c d"],
  ["upgrade-insecure-requests, a b", "a b"],
  [
    "upgrade-insecure-requests-too; a upgrade-insecure-requests",
    "upgrade-insecure-requests-too; a upgrade-insecure-requests",
  ],
]))("$value is $kept", ({ value, kept }) => expect(withoutUpgrade(value)).toBe(kept));
