/**
 * What the console's page is given to change the host, and that it is good for its own browser alone.
 * @module
 */
import { expect, it } from "vitest";
import { hasProof, readProof } from "../../../src/core/pages/page-proof.ts";
import { exchangeOf, TICKET } from "../../support/exchange.ts";

const shown = (proof: string, cookie: string) =>
  hasProof(exchangeOf({ fields: { "x-fetchvia-ticket": proof, cookie } }));

it("is given with a cookie that no script reads, once", async () => {
  const { proof, cookie = "" } = await readProof(exchangeOf({ options: { mountPath: "/p" } }));
  expect(proof).toMatch(/^[\w-]{22}$/);
  expect(cookie).toMatch(/^proxy_page=[\w-]{36}; Path=\/p\/__proxy__; HttpOnly; SameSite=Strict$/);
  const [pair = ""] = cookie.split(";");
  expect(await readProof(exchangeOf({ fields: { cookie: pair } }))).toEqual({ proof });
});

it("is good with that cookie, as a field and as a parameter", async () => {
  const { proof, cookie = "" } = await readProof(exchangeOf());
  const [pair = ""] = cookie.split(";");
  const path = `/__proxy__/?host=x&proof=${proof}`;
  expect(await shown(proof, pair)).toBe(true);
  expect(await hasProof(exchangeOf({ path, fields: { cookie: pair } }))).toBe(true);
});

it.each([
  { about: "without the cookie", cookie: "" },
  { about: "with that of another browser", cookie: "proxy_page=other" },
])("is good for nothing $about", async ({ cookie }) => {
  const { proof } = await readProof(exchangeOf());
  expect(await shown(proof, cookie)).toBe(false);
  expect(await shown("", cookie)).toBe(false);
});

it("is Secure over https", async () => {
  const exchange = exchangeOf();
  const { cookie } = await readProof({ ...exchange, caller: { ...exchange.caller, isSecure: true } });
  expect(cookie).toMatch(/; Secure$/);
});

it("is the ticket for who is trusted with it", async () =>
  expect([await shown(TICKET, ""), await shown("other", "")]).toEqual([true, false]));

it("is good for its own caller alone: a page of a stranger could plant the cookie that he was given", async () => {
  const runtime = { clientAddress: "192.0.2.1" };
  const { proof, cookie = "" } = await readProof(exchangeOf({ runtime }));
  const [pair = ""] = cookie.split(";");
  const fields = { "x-fetchvia-ticket": proof, "cookie": pair };
  expect(await hasProof(exchangeOf({ runtime, fields }))).toBe(true);
  expect(await hasProof(exchangeOf({ runtime: { clientAddress: "192.0.2.2" }, fields }))).toBe(false);
});
