import { describe, expect, it } from "vitest";
import { mintToken } from "../../../src/parts/tokens/mint.ts";
import { verifyToken } from "../../../src/parts/tokens/token.ts";

const KEY = "k";
const LEAST = { id: "ci", expires: 2_000 };

describe("a minted token", () => {
  it("is what the proxy verifies", async () => {
    const options = {
      ...LEAST,
      targets: "a.test",
      methods: ["GET"],
      paths: ["/v1/"],
      rate: "1/1s",
      origins: "*",
    };
    const token = await mintToken(options, KEY);
    expect(token).toMatch(/^fv1\.[\w-]+\.[\w-]{43}$/);
    await expect(verifyToken(token, KEY, 1_999, new Set())).resolves.toMatchObject({
      id: "ci",
      exp: 2_000,
      methods: ["GET"],
      paths: ["/v1/"],
      rate: { requests: 1, seconds: 1 },
    });
  });

  it("ends at a date too, in whole seconds", async () => {
    const token = await mintToken({ id: "ci", expires: new Date(2_000_900) }, KEY);
    await expect(verifyToken(token, KEY, 1, new Set())).resolves.toEqual({ id: "ci", exp: 2_000 });
  });

  it("has no claim that is undefined", async () => {
    const token = await mintToken({ ...LEAST, targets: undefined }, KEY);
    await expect(verifyToken(token, KEY, 1, new Set())).resolves.toEqual({ id: "ci", exp: 2_000 });
  });

  it.each([
    { options: { ...LEAST, id: "a b" }, says: 'Cannot make a token: id is "a b", expected' },
    { options: { ...LEAST, expires: new Date(NaN) }, says: "Cannot make a token: exp is null, expected" },
    { options: { ...LEAST, expires: Date.now() }, says: "expected whole Unix seconds" },
    { options: { ...LEAST, targets: "" }, says: 'targets is "", expected' },
    { options: { ...LEAST, target: "a.test" }, says: 'it has "target", expected' },
    { options: { ...LEAST, paths: ["/".padEnd(4_000, "x")] }, says: "expected at most 4096" },
  ])("is not made of $options", async ({ options, says }) => {
    await expect(mintToken(options, KEY)).rejects.toThrow(says);
  });

  it("needs a key", () =>
    expect(mintToken(LEAST, "")).rejects.toThrow("the key is empty, expected SIGNING_KEY"));
});
