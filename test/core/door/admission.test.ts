/** Who gets in, in which order that is decided, and what is refused to everybody. @module */
import { signLink } from "../../../src/core/address/signature.ts";
import { describe, expect, it } from "vitest";
import { Doorkeeper } from "../../../src/core/door/admission.ts";
import type { Grant } from "../../../src/core/address/authority.ts";
import { mintToken } from "../../../src/parts/tokens/mint.ts";
import { ProxyError } from "../../../src/core/http/error.ts";
import { exchangeOf, type Request } from "../../support/parts-exchange.ts";

const LOOP_ID = "fetchvia-own";
const EVERYTHING = {
  proxyToken: "secret",
  rateLimit: "1/60s",
  maxConcurrent: 1,
  corsOrigins: "https://app.test",
};

/** A doorkeeper, and requests that come to it one after the other. */
function door(options: Request["options"] = {}) {
  const doorkeeper = new Doorkeeper(exchangeOf({ options }).config, LOOP_ID);
  return {
    doorkeeper,
    admit: async (request: Request, isReserved = false, grant: Grant = "none") =>
      await doorkeeper.admit(exchangeOf({ options, ...request }), isReserved, grant),
  };
}

const failing = (code: string) => expect.objectContaining({ code });

describe("a doorkeeper", () => {
  it.each([
    { about: "its own id", field: LOOP_ID },
    { about: "its own id among others", field: `cdn-a, ${LOOP_ID}; x=1, cdn-b` },
  ])("finds a loop by $about", async ({ field }) => {
    await expect(door().admit({ fields: { "cdn-loop": field } })).rejects.toThrow(failing("loop"));
  });

  it("lets the ids of others in", async () =>
    await expect(door().admit({ fields: { "cdn-loop": "fetchvia-other, cdn-a" } })).resolves.toBeUndefined());

  it("counts before it looks at the token, so that nobody can guess for long", async () => {
    const { admit } = door(EVERYTHING);
    await expect(admit({ fields: { proxy_token: "guess" } })).rejects.toThrow(failing("token_wrong"));
    await expect(admit({ fields: { proxy_token: "secret" } })).rejects.toThrow(failing("rate_limited"));
  });

  it("limits guesses at metrics that come at once", async () => {
    const { admit } = door({ ...EVERYTHING, metrics: true });
    const guesses = ["a", "b", "secret"].map((token) =>
      admit({ path: "/__proxy__/metrics", fields: { proxy_token: token } }, true)
    );
    const told = await Promise.allSettled(guesses);
    expect(told.map((one) => one.status === "rejected" && one.reason.code))
      .toEqual(["token_wrong", "rate_limited", "rate_limited"]);
  });

  it("counts callers with a token of their own at metrics, which it does not show", async () => {
    const options = { rateLimit: "1/60s", metrics: true, signingKey: "k", callerTokens: true };
    const token = await mintToken({ id: "ci", expires: 4_000_000_000 }, "k");
    const { admit } = door(options);
    const ask = () => admit({ path: "/__proxy__/metrics", fields: { proxy_token: token } }, true);
    await expect(ask()).resolves.toMatchObject({ claims: { id: "ci" } });
    await expect(ask()).rejects.toThrow(failing("rate_limited"));
  });

  it("counts what is refused before it knows the caller", async () => {
    const { admit, doorkeeper } = door(EVERYTHING);
    const refusal = new ProxyError("bad_request", "malformed");
    await expect(doorkeeper.refuse("192.0.2.7", refusal)).rejects.toBe(refusal);
    await expect(doorkeeper.refuse("192.0.2.7", refusal)).rejects.toThrow(failing("rate_limited"));
    await expect(admit({ fields: { proxy_token: "secret" } })).resolves.toBeUndefined();
    await expect(door().doorkeeper.refuse("192.0.2.7", refusal)).rejects.toBe(refusal);
  });

  it("looks at the token before the site", async () => {
    const request = { path: "/__proxy__/", fields: { "sec-fetch-site": "cross-site" } };
    await expect(door({ proxyToken: "secret" }).admit(request, true))
      .rejects.toThrow(failing("token_missing"));
    await expect(door().admit(request, true)).rejects.toThrow(failing("forbidden"));
  });

  it("keeps a place only for who got in", async () => {
    const { admit } = door({ maxConcurrent: 1, proxyToken: "secret" });
    await expect(admit({})).rejects.toThrow(failing("token_missing"));
    await expect(admit({ fields: { proxy_token: "secret" } })).resolves.toBeUndefined();
    await expect(admit({ fields: { proxy_token: "secret" } })).rejects.toThrow(failing("overloaded"));
  });
});

it("takes no signed link ahead of its time: nobody has opened it yet", async () => {
  const path = `/__proxy__/fetch?arg=e30&sig=${await signLink("/__proxy__/fetch?arg=e30", "key")}`;
  const { admit } = door({ signingKey: "key" });
  const foreign = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" };
  await expect(admit({ path, fields: foreign }, true)).resolves.toBe("signed");
  const ahead = { ...foreign, "sec-purpose": "prefetch" };
  await expect(admit({ path, fields: ahead }, true)).rejects.toThrow("Prefetch requests are refused here");
});
