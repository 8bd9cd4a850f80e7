/** A target's response, sealed: its status, and where it came from. @module */
import { expect, it } from "vitest";
import { decodeAddress } from "../../../src/core/address/address.ts";
import { decodeHead } from "../../../src/core/address/sealed-head.ts";
import type { Target } from "../../../src/core/exchange/exchange.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { HEAD_FIELD } from "../../../src/core/http/headers.ts";
import { sealAnswer } from "../../../src/parts/headers/seal.ts";
import { exchangeOf } from "../../support/exchange.ts";

const TARGET: Target = { selector: "header", ...decodeAddress("https://a.test/")!, basePath: "" };

it.each([
  { finalAddress: undefined, told: undefined },
  { finalAddress: decodeAddress("https://b.test/y"), told: "https://b.test/y" },
])("tells the final address $told, and no other", ({ finalAddress, told }) => {
  const headers = new Fields([["x-final-url", "https://evil.test"]]);
  const answer = { status: 404, statusText: "", headers, body: null, ...(finalAddress && { finalAddress }) };
  const sealed = sealAnswer(answer, exchangeOf(), TARGET, true);
  const head = decodeHead(sealed.headers.get(HEAD_FIELD) ?? "");
  expect([sealed.status, head?.status]).toEqual([200, 404]);
  expect(new Headers(head?.headers.map(([name, value]) => [name, value])).get("x-final-url")).toBe(
    told ?? null,
  );
});
