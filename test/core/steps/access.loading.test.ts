/**
 * Step 2 before the bounds of callers' tokens are loaded: the first requests with a token are judged as all later ones.
 */
import { beforeEach, expect, it, vi } from "vitest";
import { decodeAddress } from "../../../src/core/address/address.ts";
import type { Target } from "../../../src/core/exchange/exchange.ts";
import { type Claims, readClaims } from "../../../src/parts/tokens/claims.ts";
import { exchangeOf } from "../../support/exchange.ts";

const claims = readClaims({ id: "ci", exp: 1, targets: "b.test" }) as Claims;
const token = { text: "fv1", claims, isInAddress: false, fields: [] };
const target: Target = { selector: "header", origin: new URL("https://a.test"), basePath: "", path: "/" };

const REFUSED = expect.objectContaining({
  message: expect.stringContaining("is not in targets of the caller's token"),
});

beforeEach(() => void vi.resetModules());

it("the first requests with a token are refused outside its bounds, also if several come together", async () => {
  const { checkAccess } = await import("../../../src/core/steps/access.ts");
  const resolve = () => Promise.resolve(["192.0.2.1"]);
  const exchange = { ...exchangeOf({ runtime: { clientAddress: "127.0.0.1", resolve } }), token };
  const address = decodeAddress("https://a.test/")!;
  const outcomes = await Promise.allSettled(
    [1, 2, 3].map(async () => await checkAccess(address, exchange, target)),
  );
  expect(outcomes).toEqual(Array(3).fill({ status: "rejected", reason: REFUSED }));
});
