/**
 * What live traffic keeps of an address.
 * @module
 */
import { describe, expect, it } from "vitest";
import { maskAddress } from "../../../src/pages/console/mask.ts";

describe("maskAddress", () => {
  it.each([
    { address: "https://a.test/", kept: "https://a.test/" },
    { address: "https://a.test:81/v1/orders/17", kept: "https://a.test:81/v1/orders/17" },
    { address: "https://a.test/p?token=secret", kept: "https://a.test/p" },
    { address: "https://a.test/p?", kept: "https://a.test/p" },
    { address: "https://a.test?x=/y", kept: "https://a.test" },
    { address: "https://a.test/p#/access_token=x", kept: "https://a.test/p" },
    {
      address: "https://a.test/bot123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/getMe",
      kept: "https://a.test/bot123456789:***/getMe",
    },
    {
      address: "https://hooks.test/services/T024BE7LD/B024BE7LH/XoVq31yzCaDEFg7QuNw2K1sJ",
      kept: "https://hooks.test/services/T024BE7LD/B024BE7LH/***",
    },
    {
      address: "https://a.test/t/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5Nx1",
      kept: "https://a.test/t/***.***.***",
    },
    {
      address: "https://a.test/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
      kept: "https://a.test/services/T00000000/B00000000/***",
    },
    {
      address: "https://a.test/api/webhooks/123456789012345678/aa-bb-cc-dd-ee-ff-gg",
      kept: "https://a.test/api/webhooks/123456789012345678/***",
    },
    { address: "https://a.test/t/aB3dE6gH9jK2-mN5pQ8sT1v-x", kept: "https://a.test/t/***" },
    { address: `https://a.test/${"k".repeat(33)}`, kept: "https://a.test/***" },
    // Identifiers and words that people look for.
    {
      address: "https://a.test/o/123e4567-e89b-12d3-a456-426614174000",
      kept: "https://a.test/o/123e4567-e89b-12d3-a456-426614174000",
    },
    {
      address: "https://a.test/o/507f1f77bcf86cd799439011",
      kept: "https://a.test/o/507f1f77bcf86cd799439011",
    },
    {
      address: "https://a.test/my-2-cents-on-proxies-in-2026",
      kept: "https://a.test/my-2-cents-on-proxies-in-2026",
    },
    {
      address: "https://a.test/Learn-TypeScript-v5-in-20-days",
      kept: "https://a.test/Learn-TypeScript-v5-in-20-days",
    },
    { address: "https://a.test/webhooks/12/deliveries", kept: "https://a.test/webhooks/12/deliveries" },
    { address: "https://a.test/internationalization", kept: "https://a.test/internationalization" },
    { address: "https://a.test/12345678901234567890", kept: "https://a.test/12345678901234567890" },
    {
      address: "https://x2345678901234567890abcdef.test/p",
      kept: "https://x2345678901234567890abcdef.test/p",
    },
  ])("$address is kept as $kept", ({ address, kept }) => {
    expect(maskAddress(address)).toBe(kept);
  });

  it("looks at a long run once", () => {
    expect(maskAddress(`https://a.test/${"a".repeat(500_000)}`)).toBe("https://a.test/***");
  });

  it("keeps the beginning of a long one", () => {
    expect(maskAddress(`https://a.test/${"a/".repeat(2_000)}`)).toHaveLength(1_024);
  });
});
