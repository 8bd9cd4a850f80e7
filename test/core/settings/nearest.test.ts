/** The name that was probably meant. */
import { describe, expect, it } from "vitest";
import { findNearest, nameKnown } from "../../../src/core/settings/nearest.ts";
import { rowsOf } from "../../support/rows.ts";

const KNOWN = ["host", "port", "hosts", "proxyToken", "proxyDomain", "via", "target", "targets"];

describe("the nearest name", () => {
  it.each(rowsOf(["name", "nearest"], [
    ["prot", "port"],
    ["prt", "port"],
    ["hots", "host"],
    ["proxy_token", "proxyToken"],
    ["PROXY-TOKN", "proxyToken"],
    ["proxyDoamin", "proxyDomain"],
    ["poxyTokn", "proxyToken"],
    ["tragets", "targets"],
    ["targetss", "targets"],
    ["vai", "via"],
    ["x", undefined],
    ["as", undefined],
    ["prxTkn", undefined],
    ["allow", undefined],
    ["", undefined],
  ]))("of $name is $nearest", ({ name, nearest }) => expect(findNearest(name, KNOWN)).toBe(nearest));

  it.each(rowsOf(["name", "nearest"], [
    ["proxyTokn", "proxyToken"],
    ["poxyTokn", undefined],
  ]))("within one letter of $name is $nearest", ({ name, nearest }) => {
    expect(findNearest(name, KNOWN, 1)).toBe(nearest);
  });

  it("comes before the others in a message", () => {
    expect(nameKnown("hsot", ["port", "host", "log"])).toBe("host, or one of port, log");
    expect(nameKnown("other", ["port", "host", "log"])).toBe("one of port, host, log");
    expect([nameKnown("prot", ["port"]), nameKnown("other", ["port"])]).toEqual(["port", "port"]);
  });
});
