/** Parameters as rows, and an address whose other bytes stay. @module */
import { describe, expect, it } from "vitest";
import { type Param, readParams, writeParams } from "../../../src/console/builder/draft.ts";
import { words } from "../../support/rows.ts";

/** Addresses with all that an encoder would rewrite. */
const TYPED = words`https://a.test/p?q=a+b&c=%7e&d&=e&f=1=2#x?y https://a.test/?a=%zz&a=ä&a=[1]
  /p?x={{id}} https://a.test/p#?no https://a.test/ https://a.test/?a&b=&`;

it.each<{ address: string; params: Param[] }>([
  { address: "/p?a=1&b=2#c=3", params: [["a", "1"], ["b", "2"]] },
  { address: "/p?q=a+b&x=%20&y&z=1=2", params: [["q", "a+b"], ["x", "%20"], ["y", ""], ["z", "1=2"]] },
  { address: "/p", params: [] },
  { address: "/p?", params: [] },
])("readParams $address", ({ address, params }) => expect(readParams(address)).toEqual(params));

describe("writeParams", () => {
  it.each(TYPED)("leaves what did not change as typed: %s", (address) => {
    const trimmed = address.replace(/&$/, "");
    expect(writeParams(address, readParams(address))).toBe(trimmed);
  });

  it.each<{ address: string; rows: Param[]; written: string }>([
    { address: "/p?a&b=%7e#f", rows: [["a", ""], ["b", "2"]], written: "/p?a&b=2#f" },
    { address: "/p?a=1&b=%7e", rows: [["b", "%7e"]], written: "/p?b=%7e" },
    { address: "/p?a=1", rows: [], written: "/p" },
    { address: "/p", rows: [["a b", "c&d#e=f"]], written: "/p?a%20b=c%26d%23e=f" },
    { address: "/p", rows: [["a=b", "50% %41"]], written: "/p?a%3Db=50%25%20%41" },
    { address: "/p?a=1", rows: [["a", "1"], ["", ""], ["a", "1"]], written: "/p?a=1&a=1" },
  ])("$address with $rows is $written", ({ address, rows, written }) => {
    expect(writeParams(address, rows)).toBe(written);
  });
});
