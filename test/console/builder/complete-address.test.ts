/** The address as it is typed, and what is made of it. @module */
import { describe, expect, it } from "vitest";
import { completeAddress, completeText } from "../../../src/console/builder/complete-address.ts";
import { isSocketAddress } from "../../../src/console/builder/complete-address.ts";
import { alike, rowsOf } from "../../support/rows.ts";

it.each([
  { typed: " https://a.test/p?q ", host: null, address: "https://a.test/p?q" },
  { typed: "a.test/p", host: null, address: "https://a.test/p" },
  { typed: "localhost:3000/p", host: null, address: "http://localhost:3000/p" },
  { typed: "127.0.0.1:3000", host: null, address: "http://127.0.0.1:3000" },
  { typed: "/p?q", host: "https://a.test/v1", address: "https://a.test/v1/p?q" },
  { typed: "//evil.test/p", host: "https://a.test", address: "https://a.test//evil.test/p" },
  { typed: "https://a.test/%7e?a=%zz&b=ä", host: null, address: "https://a.test/%7e?a=%zz&b=ä" },
  ...alike("typed", { host: null, address: "" })`/p ftp://a.test/ javascript:alert(1) https://`,
  { typed: "", host: "https://a.test", address: "" },
  { typed: "https://a b/", host: null, address: "" },
])("completeText $typed (host $host) → $address", ({ typed, host, address }) => {
  expect(completeText(typed, host)).toBe(address);
});

describe("completeAddress (defect 18)", () => {
  it.each(rowsOf(["typed", "url", "note"], [
    ["https://a.test/?q=a b", "https://a.test/?q=a%20b", /Blanks in the address go out as %20/],
    ["https://a.test/ ", "https://a.test/", /around the address/],
    ["https://a.test/", "https://a.test/", /^$/],
  ]))("encodes the blanks of $typed, and says so", ({ typed, url, note }) => {
    const { url: written, note: said = "" } = { url: "", note: "", ...completeAddress(typed, null) };
    expect([written, said]).toEqual([url, expect.stringMatching(note)]);
  });

  it.each([
    { typed: "", problem: /Enter an address/ },
    { typed: "/json", problem: /\/json has no host: set one above/ },
    { typed: "{{base}}/p", problem: /\{\{base\}\} in the address has no value/ },
    { typed: "https://{{host}}/p", problem: /\{\{host\}\}/ },
    { typed: "ftp://a.test/", problem: /ftp: can't be requested/ },
    { typed: "https://a b/", problem: /no address/ },
  ])("tells what is wrong with $typed", ({ typed, problem }) => {
    expect(completeAddress(typed, null).problem).toMatch(problem);
  });
});

it.each([
  { typed: "ws://a.test", is: true },
  { typed: " WSS://a.test/p", is: true },
  { typed: "https://a.test/ws://", is: false },
])("isSocketAddress $typed: $is", ({ typed, is }) => expect(isSocketAddress(typed)).toBe(is));
