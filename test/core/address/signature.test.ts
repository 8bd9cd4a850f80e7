/** Signatures of links: the published vector, and what others sign. */
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { signLink } from "../../../src/core/address/signature.ts";

const PATH = "/__proxy__/?url=https%3A%2F%2Fexample.com%2F&exp=4102444800";

/** As any other program would sign. */
const sign = (path: string, key: string) => createHmac("sha256", key).update(path).digest("base64url");

describe("signLink", () => {
  it("gives the published vector", async () =>
    expect(await signLink(PATH, "test-key")).toBe("QdIxow0TYBncbYsRoNHRKhHTW81PUMkLxo4P6Pxi4Cg"));

  it.each([
    { path: "/__proxy__/fetch?arg=e30", key: "k" },
    { path: "/__proxy__/?url=ä", key: "schlüssel \u{1f511}" },
    { path: "/__proxy__/?url=x&exp=1", key: "x".repeat(200) },
  ])("signs $path as others do", async ({ path, key }) => {
    expect(await signLink(path, key)).toBe(sign(path, key));
  });
});
