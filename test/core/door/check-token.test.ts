/** The token: where it may be shown, and signed links in its place. @module */
import { afterEach, describe, expect, it, vi } from "vitest";
import { isReserved } from "../../../src/core/address/reserved-paths.ts";
import { signLink } from "../../../src/core/address/signature.ts";
import { mintToken } from "../../../src/parts/tokens/mint.ts";
import { checkToken, type Shown } from "../../../src/core/door/check-token.ts";
import { exchangeOf, type Request } from "../../support/parts-exchange.ts";
import { tokenOf } from "../../support/token.ts";
import type { Rules } from "../../../src/core/exchange/exchange.ts";
import { hooksOf } from "../../../src/core/exchange/hooks.ts";
import { ProxyError } from "../../../src/core/http/error.ts";
import { rowsOf, words } from "../../support/rows.ts";

const TOKEN = "s3cret+%/=";
const CHALLENGE = { status: 401, headers: { "www-authenticate": 'Bearer realm="fetchvia"' } };
const MISSING = expect.objectContaining({ code: "token_missing", ...CHALLENGE });
const WRONG = expect.objectContaining({ code: "token_wrong", ...CHALLENGE });
function check({ options, ...request }: Request): Promise<Shown> {
  const exchange = exchangeOf({ options: { proxyToken: TOKEN, ...options }, ...request });
  return checkToken(exchange, isReserved(exchange.path));
}

const ENCODED = encodeURIComponent(TOKEN);

describe("the token", () => {
  it.each([
    { way: "a quoted cookie", fields: { cookie: `proxy_token="${TOKEN}"` } },
    { way: "proxy-authorization, odd case", fields: { "proxy-authorization": `bearer   ${TOKEN}` } },
    { way: "a right one beside a wrong one", fields: { proxy_token: "x", "proxy-token": TOKEN } },
    { way: "the last of sixteen", fields: { cookie: `${"proxy_token=x; ".repeat(15)}proxy_token=${TOKEN}` } },
    { way: "the second of two cookies", fields: { cookie: `proxy_token=x; proxy_token=${TOKEN}` } },
  ])("is taken as $way", async ({ fields }) => await expect(check({ fields })).resolves.toBe("token"));

  it.each(words`/__proxy__/ /__proxy__/metrics /__proxy__/traffic /__proxy__/fetch?arg=e30
    /__proxy__/?host=https://a.test`)(
    "is taken as Authorization on a page of the proxy: %s",
    async (path) => {
      const shown = (token: string) => check({ path, fields: { authorization: `Bearer ${token}` } });
      await expect(shown(TOKEN)).resolves.toBe("token");
      await expect(shown(TOKEN.slice(1))).rejects.toThrow(WRONG);
      await expect(check({ path, fields: { authorization: `Basic ${btoa(TOKEN)}` } }))
        .rejects.toThrow(MISSING);
    },
  );

  it.each(words`/ /__proxy__x /__proxy__/?url=https://a.test/ /__proxy__?url=https%3A%2F%2Fa.test%2F
    /__proxy__/?x=1&url=https%3A%2F%2Fa.test%2F`)(
    "is missing with Authorization where that is the target's: %s",
    async (path) =>
      await expect(check({ path, fields: { authorization: `Bearer ${TOKEN}` } })).rejects.toThrow(MISSING),
  );

  it.each(rowsOf(["about", "fields", "refusal"], [
    ["another case", { proxy_token: TOKEN.toUpperCase() }, WRONG],
    ["two lines of it", { proxy_token: `${TOKEN}, ${TOKEN}` }, WRONG],
    ["Basic", { "proxy-authorization": `Basic ${btoa(`:${TOKEN}`)}` }],
    ["no scheme", { "proxy-authorization": TOKEN }],
    ["the last of seventeen", { cookie: `${"proxy_token=x; ".repeat(16)}proxy_token=${TOKEN}` }, WRONG],
    ["another cookie", { cookie: `xproxy_token=${TOKEN}` }],
    ["a prefixed cookie", { cookie: `__Host-proxy_token=${TOKEN}` }],
  ]))("is refused with $about", async ({ fields, refusal = MISSING }) => {
    await expect(check({ fields })).rejects.toThrow(refusal);
  });

  it.each([
    `/?token=${ENCODED}`,
    `/__proxy__x?token=${ENCODED}`,
    `/__proxy__/?xtoken=${ENCODED}`,
    `/__proxy__/?token=`,
    `/__proxy__/?token=%`,
    // Behind the `?` of a raw address everything belongs to the target.
    `/__proxy__/?url=https://a.test/?x=1&token=${ENCODED}`,
    `/__proxy__/?url=https%3A%2F%2Fa.test%2F%3Ftoken%3D${encodeURIComponent(ENCODED)}`,
  ])("is missing in %s", async (path) => await expect(check({ path })).rejects.toThrow(MISSING));

  it("is not asked for where none is set", async () =>
    await expect(check({ options: { proxyToken: undefined } })).resolves.toBe("nothing"));
});

describe("the comparison", () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([
    { about: "right", token: TOKEN },
    { about: "wrong from the first character on", token: TOKEN.replace("s", "t") },
    { about: "wrong in the last character", token: `${TOKEN.slice(0, -1)}!` },
    { about: "shorter", token: "s" },
    { about: "longer", token: TOKEN.repeat(9) },
  ])("is one of digests, whatever is shown: $about", async ({ token }) => {
    const digest = vi.spyOn(crypto.subtle, "digest");
    await check({ fields: { proxy_token: token } }).catch(() => {});
    const bytes = (text: string) => new TextEncoder().encode(text);
    expect(digest.mock.calls).toEqual([["SHA-256", bytes(token)], ["SHA-256", bytes(TOKEN)]]);
  });

  it.each(Array.from({ length: 32 }, (_, index) => ({ index })))(
    "looks at nothing but the digests, and at byte $index of them",
    async ({ index }) => {
      const digest = vi.spyOn(crypto.subtle, "digest").mockResolvedValue(new Uint8Array(32).buffer);
      await expect(check({ fields: { proxy_token: "any other" } })).resolves.toBe("token");
      digest.mockResolvedValueOnce(new Uint8Array(32).fill(1, index, index + 1).buffer);
      await expect(check({ fields: { proxy_token: TOKEN } })).rejects.toThrow(WRONG);
    },
  );
});

describe("a caller's own token", () => {
  const KEY = "test-key";
  const mint = (key = KEY) => mintToken({ id: "ci", expires: 4_000_000_000 }, key);

  it("is nothing without a key to verify it", async () => {
    await expect(check({ fields: { proxy_token: await mint() } })).rejects.toThrow(WRONG);
    await expect(check({ fields: { proxy_token: await mint() }, options: { proxyToken: undefined } }))
      .resolves.toBe("nothing");
  });

  it("does not harm the proxy's where it is a wrong one", async () => {
    const fields = { proxy_token: TOKEN, "proxy-token": await mint("other") };
    await expect(check({ fields, options: { signingKey: KEY } })).resolves.toBe("token");
  });

  it("is refused where it is wrong, though none is asked for", async () => {
    const options = { proxyToken: undefined, signingKey: KEY };
    const fields = { proxy_token: await mint("other") };
    await expect(check({ fields, options })).rejects.toThrow("its signature is wrong");
    await expect(check({ options })).resolves.toBe("nothing");
    await expect(check({ options: { ...options, callerTokens: true } })).rejects.toThrow(MISSING);
  });
});

describe("what parts find", () => {
  const token = tokenOf();
  const refused = { refusal: new ProxyError("token_wrong", "of a part"), callerId: "ci" };
  const find = (...found: Awaited<ReturnType<NonNullable<Rules["admit"]>>>[]) => {
    const parts = hooksOf(found.map((one) => ({ admit: () => Promise.resolve(one) })));
    const exchange = { ...exchangeOf(), parts };
    const tell = vi.fn();
    return { tell, shown: checkToken(exchange, false, tell) };
  };

  it.each([
    { about: "the first of several", found: [undefined, "signature" as const, token], is: "signature" },
    { about: "what comes after a refusal", found: [refused, token], is: token },
    { about: "nothing", found: [undefined], is: "nothing" },
  ])("counts: $about", async ({ found, is }) => expect(await find(...found).shown).toBe(is));

  it("is refused, under the caller's id, if nothing else admits the request", async () => {
    const { tell, shown } = find(refused, { ...refused, callerId: "other" });
    await expect(shown).rejects.toBe(refused.refusal);
    expect(tell.mock.calls).toEqual([["ci"]]);
  });
});

describe("a signed link", () => {
  const KEY = "test-key";
  const signed = async (path: string, key = KEY) => `${path}&sig=${await signLink(path, key)}`;

  it.each([
    { about: "no key is set", path: "/__proxy__/fetch?arg=e30", method: "GET", options: {} },
  ])("is no token where $about", async ({ path, method, options }) => {
    await expect(check({ path: await signed(path), method, options })).rejects.toThrow(MISSING);
  });
});
