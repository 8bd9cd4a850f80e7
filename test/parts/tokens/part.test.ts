/**
 * Callers' tokens as a part: the first requests with a token, which come before it has loaded, are judged as all later ones.
 */
import { beforeEach, expect, it, vi } from "vitest";
import { mintToken } from "../../../src/parts/tokens/mint.ts";
import { target } from "../../support/handle.ts";

const KEY = "k";

beforeEach(() => void vi.resetModules());

it("the first requests with a token are refused outside its bounds, also if several come together", async () => {
  const { createProxy } = await import("../../../src/index.ts");
  const proxy = createProxy({ signingKey: KEY });
  const token = await mintToken({ id: "ci", expires: 4_000_000_000, targets: "b.test" }, KEY);
  const { runtime, sent } = target();
  const ask = async () => {
    const request = new Request("http://localhost:8080/", {
      headers: { proxy_host: "https://a.test", proxy_token: token },
    });
    const response = await proxy.handle(request, runtime);
    return [response.status, await response.text()];
  };
  const refused = [403, expect.stringContaining("is not in targets of the caller's token")];
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([refused, refused, refused]);
  expect(sent).toEqual([]);
});
