/**
 * When a path is read as an address: only where the settings ask for its form and nothing else names a target.
 * @module
 */
import { describe, expect, it } from "vitest";
import { ADDRESS_FORMS } from "../../../src/core/address/selector.ts";
import { readAddressParameter, readQuery } from "../../../src/core/address/query.ts";
import { exchangeOf, type Request } from "../../support/parts-exchange.ts";
import { words } from "../../support/rows.ts";

const ALL = { addressForms: [...ADDRESS_FORMS] };

describe("a path in a form", () => {
  it.each([
    { path: "/https://a.test/x?y=1&z=%26", form: "cors-anywhere", address: "https://a.test/x?y=1&z=%26" },
    { path: "/?https://a.test/x?y=1&z=%2B+#", form: "corsproxy", address: "https://a.test/x?y=1&z=%2B+" },
    { path: "/?url=https%3A%2F%2Fa.test%2F%2525", form: "corsproxy", address: "https://a.test/%25" },
    { path: "/?scalar_url=https%3A%2F%2Fa.test%2F%C3%A9", form: "scalar", address: "https://a.test/é" },
    { path: "/a.test/r/git-upload-pack", form: "git", address: "https://a.test/r/git-upload-pack" },
    { path: "/?url=", form: "corsproxy", address: "" },
  ])("$path becomes the link to $address", ({ path, form, address }) => {
    const exchange = exchangeOf({ path, options: ALL });
    expect(exchange.form?.name).toBe(form);
    expect(exchange.path).toMatch(/^\/__proxy__\/\?url=[^&?]*$/);
    expect(readAddressParameter(readQuery(exchange.path))).toBe(address);
  });

  it.each<Request & { about: string }>([
    { about: "no form is asked for", options: {} },
    { about: "another form is asked for", options: { addressForms: ["git", "scalar", "corsproxy"] } },
    { about: "a header names a target", fields: { proxy_host: "https://b.test" } },
    { about: "a header is malformed", fields: { proxy_host: "b" } },
    { about: "a cookie names a target", fields: { cookie: "proxy_host=https://b.test" } },
    { about: "a cookie is malformed", fields: { cookie: "proxy_host=b" } },
    { about: "a label names a target", fields: { host: "b-test.w.localhost" } },
    { about: "a label is malformed", fields: { host: "-.w.localhost" } },
    { about: "there is a default target", options: { ...ALL, target: "https://b.test" } },
  ])("stays as it is where $about", (request) => {
    const exchange = exchangeOf({ options: ALL, ...request, path: "/https://a.test/x" });
    expect(exchange).toMatchObject({ path: "/https://a.test/x", form: undefined });
  });

  it.each(words`/ /x /__proxy__ /__proxy__/fetch?arg=x /__proxy__/?host=https://a.test
    /__proxy__/info/refs?service=git-upload-pack`)("%s is in none", (path) => {
    expect(exchangeOf({ path, options: ALL })).toMatchObject({ path, form: undefined });
  });
});
