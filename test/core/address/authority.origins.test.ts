/** Origins: the list that is set, and which ones are this machine's own. */
import { describe, expect, it } from "vitest";
import { decodeCorsOrigins, isLoopbackOrigin } from "../../../src/core/address/authority.ts";
import { listOf } from "../../../src/core/settings/list-values.ts";
import { words } from "../../support/rows.ts";

const { parse } = listOf(decodeCorsOrigins);

describe("a list", () => {
  it.each([
    { text: "*", any: true, listed: [] },
    { text: " * ", any: true, listed: [] },
    { text: "https://a.test", any: false, listed: ["https://a.test"] },
    { text: "https://a.test/", any: false, listed: ["https://a.test"] },
    { text: "HTTPS://A.Test:443", any: false, listed: ["https://a.test"] },
    { text: "http://a.test:80, http://b.test:81", any: false, listed: ["http://a.test", "http://b.test:81"] },
    { text: "https://a.test,*", any: true, listed: ["https://a.test"] },
    { text: "http://[::1]:5173", any: false, listed: ["http://[::1]:5173"] },
    { text: "https://bücher.test", any: false, listed: ["https://xn--bcher-kva.test"] },
  ])("$text", ({ text, any, listed }) => {
    const origins = parse(text);
    expect({ ...origins, listed: [...origins?.listed ?? []] }).toEqual({ any, listed });
  });

  it.each([
    ...words(`
      a.test null *.a.test https://*.a.test https://a.test/path https://a.test? https://a.test#
      https://u@a.test ftp://a.test https:// https://a.test:x https://a.test,,https://b.test
    `),
    "",
    "https://a.test\\x",
    "https://a.test https://b.test",
  ])("is refused: %s", (text) => expect(parse(text)).toBeUndefined());
});

it("an empty list names no origin", () =>
  expect(decodeCorsOrigins([])).toEqual({ any: false, listed: new Set() }));

describe("isLoopbackOrigin", () => {
  it.each([
    { origin: "http://localhost", is: true },
    { origin: "http://localhost:5173", is: true },
    { origin: "https://localhost:5173", is: true },
    { origin: "http://app.localhost:5173", is: true },
    { origin: "http://127.0.0.1:3000", is: true },
    { origin: "http://127.9.9.9", is: true },
    { origin: "http://[::1]:3000", is: true },
    { origin: "http://localhost.:3000", is: true },
    // Behind a host label is a page of a target.
    { origin: "http://evil-test.w.localhost:8080", is: false },
    { origin: "https://evil-test.w.localhost", is: false },
    { origin: "http://evil-test.w.localhost.:8080", is: false },
    { origin: "http://a.b.w.localhost:8080", is: false },
    { origin: "http://w.localhost:8080", is: true },
    { origin: "http://evil.test", is: false },
    { origin: "http://localhost.evil.test", is: false },
    { origin: "http://evillocalhost", is: false },
    { origin: "http://127.0.0.1.evil.test", is: false },
    { origin: "http://10.0.0.1", is: false },
    { origin: "http://0.0.0.0", is: false },
    { origin: "null", is: false },
    { origin: "", is: false },
    { origin: "*", is: false },
    { origin: "file://", is: false },
    { origin: "ftp://localhost", is: false },
    { origin: "http://LOCALHOST", is: false },
    { origin: "http://localhost/", is: false },
    { origin: "http://localhost/path", is: false },
    { origin: "http://user@localhost", is: false },
    { origin: "http://127.1", is: false },
    { origin: "http://localhost http://localhost", is: false },
  ])("$origin: $is", ({ origin, is }) => expect(isLoopbackOrigin(origin, "localhost")).toBe(is));

  it.each([
    { origin: "http://evil-test.w.proxy.localhost:8080", is: false },
    { origin: "http://proxy.localhost:8080", is: true },
  ])("with a domain of its own: $origin: $is", ({ origin, is }) => {
    expect(isLoopbackOrigin(origin, "proxy.localhost")).toBe(is);
  });
});
