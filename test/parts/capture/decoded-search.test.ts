/** The search in the bodies of one request. @module */
import { expect, it } from "vitest";
import { DecodedSearch } from "../../../src/parts/capture/decoded-search.ts";

it("finds a text as sent or decoded, and asks again only for what was not decoded", async () => {
  const search = new DecodedSearch();
  const bodies = [{ text: "plain", headers: [] }, {
    text: "x",
    headers: [["Content-Encoding", "br"] as [string, string]],
  }];
  const asked: string[] = [];
  const given = [undefined, "needle", "other"];
  const decode = (_: Uint8Array, coding: string) => {
    asked.push(coding);
    return Promise.resolve(given.shift());
  };
  const find = (text: string) => search.holds(text, bodies, decode, true);
  expect([await find("lai"), await find("needle"), await find("needle"), await find("needle")])
    .toEqual([true, false, true, true]);
  expect([await find("none"), await find("none"), asked]).toEqual([false, false, ["br", "br", "br"]]);
});
