/**
 * What counts as a secret in a link.
 * @module
 */
import { describe, expect, it } from "vitest";
import {
  findAddressSecrets,
  findSecrets,
  isSecretField,
  isSecretParameter,
} from "../../../../../src/pages/console/browser/share/secrets.ts";

describe("secrets", () => {
  it.each([
    { name: "Authorization", is: true },
    { name: "cookie", is: true },
    { name: "X-API-Key", is: true },
    { name: "x-auth-token", is: true },
    { name: "private-token", is: true },
    { name: "accept", is: false },
    { name: "x-keyboard", is: false },
  ])("field $name: $is", ({ name, is }) => expect(isSecretField(name)).toBe(is));

  it.each([
    { name: "access_token", is: true },
    { name: "api_key", is: true },
    { name: "password", is: true },
    { name: "client_secret", is: true },
    { name: "q", is: false },
    { name: "monkey", is: false },
  ])("parameter $name: $is", ({ name, is }) => expect(isSecretParameter(name)).toBe(is));

  it("are found in address and headers, each once", () => {
    expect(findAddressSecrets("https://me:x@a.test/?token=1&token=2&key=&q=1")).toEqual([
      "a password",
      "token",
    ]);
    const headers: [string, string][] = [["Cookie", "a"], ["cookie", "b"], ["authorization", ""]];
    expect(findSecrets({ url: "https://a.test/?sig=1", headers })).toEqual(["cookie", "sig"]);
  });
});
