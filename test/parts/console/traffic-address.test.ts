/** What live traffic keeps of an address. @module */
import { describe, expect, it } from "vitest";
import { maskAddress } from "../../../src/parts/console/traffic-message.ts";
import { rowsOf, words } from "../../support/rows.ts";

describe("maskAddress", () => {
  it.each(rowsOf(["path", "kept"], [
    ["https://a.test:81/v1/orders/17", "https://a.test:81/v1/orders/17"],
    ["https://a.test?x=/y", "https://a.test"],
    ["/", "/"],
    ["/p?token=secret", "/p"],
    ["/p?", "/p"],
    ["/p#/access_token=x", "/p"],
    ["/bot123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/getMe", "/bot123456789:***/getMe"],
    ["/services/T024BE7LD/B024BE7LH/XoVq31yzCaDEFg7QuNw2K1sJ", "/services/T024BE7LD/B024BE7LH/***"],
    ["/t/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5Nx1", "/t/***"],
    ["/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX", "/services/T00000000/B00000000/***"],
    ["/api/webhooks/123456789012345678/aa-bb-cc-dd-ee-ff-gg", "/api/webhooks/123456789012345678/***"],
    ["/t/aB3dE6gH9jK2-mN5pQ8sT1v-x", "/t/***"],
    [`/${"k".repeat(33)}`, "/***"],
  ]))("$path is kept as $kept", ({ path, kept }) => {
    const on = (text: string) => text.startsWith("/") ? `https://a.test${text}` : text;
    expect(maskAddress(on(path))).toBe(on(kept));
  });

  it.each(words`/o/123e4567-e89b-12d3-a456-426614174000 /o/507f1f77bcf86cd799439011
    /my-2-cents-on-proxies-in-2026 /Learn-TypeScript-v5-in-20-days /webhooks/12/deliveries
    /internationalization /12345678901234567890`)("%s is kept, which people look for", (path) => {
    expect(maskAddress(`https://a.test${path}`)).toBe(`https://a.test${path}`);
  });

  it("keeps the name of the host", () => {
    const address = "https://x2345678901234567890abcdef.test/p";
    expect(maskAddress(address)).toBe(address);
  });

  it("looks at a long run once", () =>
    expect(maskAddress(`https://a.test/${"a".repeat(500_000)}`)).toBe("https://a.test/***"));

  it("reads of a long one with encoded bytes what stands before a slash, and no beginning of a secret", () => {
    const read = (path: string) => maskAddress(`https://a.test${path}`).slice("https://a.test".length);
    expect(read(`/a%20b/${"%2541".repeat(500)}/c`)).toBe("/a%20b/");
    expect(read(`/a%20b/api_key=${"k".repeat(1_990)}%41${"k".repeat(90)}/${"c".repeat(30)}`)).toBe("/a%20b/");
    expect(read(`/${"%41/".repeat(20_000)}`)).toHaveLength(1_010);
  });

  it("keeps the beginning of a long one", () =>
    expect(maskAddress(`https://a.test/${"a/".repeat(2_000)}`)).toHaveLength(1_024));
});
