import { describe, expect, it, vi } from "vitest";
import { readCallerToken } from "../../../src/parts/tokens/caller-token.ts";
import { ProxyError } from "../../../src/core/http/error.ts";
import { mintToken } from "../../../src/parts/tokens/mint.ts";
import { exchangeOf, type Request } from "../../support/parts-exchange.ts";
import { hooksFor, tableOf } from "../../support/table.ts";

const KEY = "k";
const mint = (id = "ci", key = KEY) => mintToken({ id, expires: 4_000_000_000 }, key);
const table = tableOf({ "a.test": { set: { authorization: "Bearer {{KEY}}", "x-api-key": "{{KEY}}" } } });

function read(request: Request, isReserved = false, revoked: string[] = []) {
  const exchange = exchangeOf({ ...request, options: { signingKey: KEY, ...request.options } });
  return readCallerToken({ ...exchange, parts: hooksFor(table) }, isReserved, new Set(revoked));
}

describe("where a caller shows its token", () => {
  it.each([
    { way: "proxy_token", fields: { proxy_token: "{}" }, found: [] },
    { way: "proxy-token", fields: { "proxy-token": "{}" }, found: [] },
    { way: "Proxy-Authorization", fields: { "proxy-authorization": "Bearer {}" }, found: [] },
    { way: "a cookie", fields: { cookie: "proxy_token={}" }, found: [] },
    { way: "authorization", fields: { authorization: "Bearer {}" }, found: ["authorization"] },
    { way: "x-api-key", fields: { "x-api-key": "{}" }, found: ["x-api-key"] },
    {
      way: "two fields for keys",
      fields: { authorization: "Bearer {}", "x-api-key": "{}" },
      found: ["authorization", "x-api-key"],
    },
    { way: "one for keys and one of the proxy", fields: { "x-api-key": "{}", proxy_token: "{}" }, found: [] },
  ])("$way", async ({ fields, found }) => {
    const text = await mint();
    const written = Object.entries(fields).map(([name, value]) => [name, value.replace("{}", text)]);
    await expect(read({ fields: Object.fromEntries(written) })).resolves.toEqual({
      text,
      claims: { id: "ci", exp: 4_000_000_000 },
      isInAddress: false,
      fields: found,
    });
  });

  it.each(["proxy_headers", "proxy-headers"])("a field that %s sets", async (name) => {
    const text = await mint();
    const json = JSON.stringify({ authorization: `Bearer ${text}`, "x-api-key": null });
    const fields = { [name]: btoa(json), "x-api-key": text };
    await expect(read({ fields })).resolves.toMatchObject({ text, fields: ["authorization"] });
  });

  it("no field that can't be read", () =>
    expect(read({ fields: { proxy_headers: "!" } })).resolves.toBeUndefined());

  it("the address, if it is the proxy's own", async () => {
    const path = `/__proxy__/?token=${await mint()}`;
    await expect(read({ path }, true)).resolves.toMatchObject({ isInAddress: true, fields: [] });
    await expect(read({ path })).resolves.toBeUndefined();
  });

  it("no other field", async () =>
    expect(read({ fields: { "x-other": await mint() } })).resolves.toBeUndefined());
});

describe("several tokens", () => {
  it("are tried until one is valid, cookies last", async () => {
    const [one, other, wrong] = await Promise.all([mint("one"), mint("other"), mint("x", "another key")]);
    const fields = { proxy_token: wrong, "x-api-key": one, cookie: `proxy_token=${other}` };
    await expect(read({ fields })).resolves.toMatchObject({ claims: { id: "one" } });
    await expect(read({ fields }, false, ["one"])).resolves.toMatchObject({ claims: { id: "other" } });
  });

  it("say what is wrong with the first, if none is", async () => {
    const [wrong, old] = await Promise.all([
      mint("x", "another key"),
      mintToken({ id: "y", expires: 1 }, KEY),
    ]);
    const fault = await read({ fields: { proxy_token: wrong, "proxy-token": old } });
    expect(fault).toBeInstanceOf(ProxyError);
    expect(fault).toMatchObject({
      status: 401,
      code: "token_wrong",
      message: expect.stringContaining("its signature is wrong"),
    });
  });

  it.each([
    { about: "a wrong one in a cookie", cookie: "fv1.e30.x", code: undefined },
    { about: "a wrong one in a cookie, where one is owed", cookie: "fv1.e30.x", isOwed: true },
    { about: "the same one in a field too", cookie: "fv1.e30.x", proxy_token: "fv1.e30.x" },
    { about: "one in a cookie that has ended", cookie: "", code: undefined },
    { about: "one that has ended, where one is owed", cookie: "", isOwed: true, code: "token_expired" },
  ] as { about: string; cookie: string; proxy_token?: string; isOwed?: boolean; code?: string }[])(
    "are refused or not, where none is valid: $about",
    async ({ cookie, proxy_token, isOwed: callerTokens = false, ...row }) => {
      const old = await mintToken({ id: "y", expires: 1 }, KEY);
      const fields = { cookie: `proxy_token=${cookie || old}`, ...proxy_token && { proxy_token } };
      const found = await read({ fields, options: { callerTokens } });
      expect((found as { code?: string } | undefined)?.code).toBe("code" in row ? row.code : "token_wrong");
    },
  );

  it("cost eight signatures at most, and none without the prefix", async () => {
    const verify = vi.spyOn(crypto.subtle, "verify");
    const many = await Promise.all(Array.from({ length: 20 }, (_, index) => mint(`${index}`, "another key")));
    await read({ fields: { cookie: many.map((text) => `proxy_token=${text}`).join("; ") } });
    expect(verify).toHaveBeenCalledTimes(8);
    await read({ fields: { cookie: "proxy_token=x", authorization: "Bearer sk-1" } });
    expect(verify).toHaveBeenCalledTimes(8);
    verify.mockRestore();
  });
});
