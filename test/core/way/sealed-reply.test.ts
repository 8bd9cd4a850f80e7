/** A sealed response: what stands outside of it. @module */
import { expect, it } from "vitest";
import { sealReply } from "../../../src/core/way/sealed-reply.ts";
import { Fields } from "../../../src/core/http/fields.ts";

it("sealReply shows no length that is none", () => {
  const headers = new Fields([["content-length", "4"], ["content-length", "5"]]);
  const sealed = sealReply({ status: 200, headers, body: Uint8Array.of(1) }, 200);
  expect(sealed.headers.has("content-length")).toBe(false);
});
