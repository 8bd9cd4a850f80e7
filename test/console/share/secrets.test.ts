/** What counts as a secret in a link: what capture masks. @module */
import { describe, expect, it } from "vitest";
import { findAddressSecrets, findSecrets } from "../../../src/console/share/share.ts";
import { OPEN_FIELDS, OPEN_PARAMETERS, SECRET_ADDRESSES } from "../../support/secret-names.ts";
import { SECRET_BODIES, SECRET_FIELDS, SECRET_PARAMETERS } from "../../support/secret-names.ts";

const url = "https://a.test/";
const ABSOLUTE = SECRET_ADDRESSES.filter(({ address }) => URL.canParse(address));

describe("a link", () => {
  it.each(SECRET_FIELDS)("carries the field %s", (name) => {
    expect(findSecrets({ url, headers: [[name, "a=b"]] })).toEqual([name]);
  });

  it.each(OPEN_FIELDS)("carries no secret in the field %s", (name) => {
    expect(findSecrets({ url, headers: [[name, "a=b"]] })).toEqual([]);
  });

  it.each(SECRET_PARAMETERS)("carries the parameter %s", (name) => {
    expect(findAddressSecrets(`${url}?${encodeURIComponent(name)}=1`)).toEqual([name]);
    expect(findAddressSecrets(`${url}#${encodeURIComponent(name)}=1`)).toEqual([name]);
  });

  it.each(OPEN_PARAMETERS)("carries no secret in the parameter %s", (name) => {
    expect(findAddressSecrets(`${url}?${name}=1`)).toEqual([]);
  });

  it.each(ABSOLUTE)("carries $what", ({ address }) => {
    expect(findAddressSecrets(address)).toHaveLength(1);
    expect(String(findAddressSecrets(address))).not.toContain("PLANTED");
  });

  it.each(SECRET_BODIES)("carries $what in its body", ({ body }) => {
    expect(findSecrets({ url, headers: [], body })).toEqual(["a secret in the body"]);
  });

  it("names each once, and none that is empty", () => {
    expect(findAddressSecrets("https://me:x@a.test/?token=1&token=2&key=&q=1"))
      .toEqual(["a password", "token"]);
    const headers: [string, string][] = [["Cookie", "a"], ["cookie", "b"], ["authorization", ""]];
    expect(findSecrets({ url: "https://a.test/?sig=1", headers, body: '{"a":1}' }))
      .toEqual(["cookie", "sig"]);
  });
});
