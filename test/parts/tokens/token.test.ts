import { describe, expect, it } from "vitest";
import { encodeBase64url } from "../../../src/core/address/base64url.ts";
import { signLink } from "../../../src/core/address/signature.ts";
import { MAX_TOKEN_LENGTH, verifyToken } from "../../../src/parts/tokens/token.ts";
import { rowsOf } from "../../support/rows.ts";

const KEY = "k";
const NOW = 1_000;
const CLAIMS = { id: "ci", exp: 2_000 };

/** Signs a payload, whatever it is. */
async function sign(payload: string, key = KEY): Promise<string> {
  const signed = `fv1.${encodeBase64url(new TextEncoder().encode(payload))}`;
  return `${signed}.${await signLink(signed, key)}`;
}

const verify = (text: string, revoked: string[] = []) => verifyToken(text, KEY, NOW, new Set(revoked));

/** The same bytes in other Base64: the last digit of a signature has two bits to spare. */
function respell(text: string): string {
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const last = digits.indexOf(text.at(-1)!);
  return text.slice(0, -1) + digits[last ^ 1];
}

describe("a caller's token", () => {
  it("is verified, and says what it claims", async () =>
    expect(verify(await sign(JSON.stringify(CLAIMS)))).resolves.toEqual(CLAIMS));

  it.each(rowsOf(["about", "make", "says"], [
    ["another key", () => sign(JSON.stringify(CLAIMS), "other"), "its signature is wrong"],
    ["an unknown claim", () => sign('{"id":"ci","exp":2000,"x":1}'), 'it has "x"'],
    ["a claim twice", () => sign('{"id":"ci","exp":1,"exp":2000}'), "a claim stands in it twice"],
    ["no JSON", () => sign("{"), "its claims are not JSON"],
    ["no object", () => sign("1"), "its claims are no object"],
    [
      "other spelling of the signature",
      async () => respell(await sign(JSON.stringify(CLAIMS))),
      "it is malformed",
    ],
    ["padding", async () => `${await sign(JSON.stringify(CLAIMS))}=`, "it is malformed"],
    [
      "too many characters",
      () => sign(JSON.stringify({ ...CLAIMS, paths: ["/".padEnd(MAX_TOKEN_LENGTH, "x")] })),
      "it is malformed",
    ],
    ["the signature of a link", async () => `fv1.e30.${await signLink("/fv1.e30", KEY)}`, "wrong"],
  ]))("is refused with $about", async ({ make, says }) => {
    const state = expect.stringContaining(says);
    await expect(verify(await make())).resolves.toEqual({ code: "token_wrong", state });
  });

  it("is refused from its end on, and tells whose it is", async () => {
    const expired = { code: "token_expired", state: "it has expired", id: "ci" };
    await expect(verify(await sign('{"id":"ci","exp":1000}'), ["ci"])).resolves.toEqual(expired);
  });

  it("is refused where its id is revoked, and only then", async () => {
    const text = await sign(JSON.stringify(CLAIMS));
    const revoked = { code: "token_revoked", state: "it was revoked", id: "ci" };
    await expect(verify(text, ["ci"])).resolves.toEqual(revoked);
    await expect(verify(text, ["c", "cii"])).resolves.toEqual(CLAIMS);
  });
});
