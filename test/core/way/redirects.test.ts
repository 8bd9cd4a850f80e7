/** A chain of redirects: what each hop asks for, what it keeps, and where it ends. @module */
import { describe, expect, it } from "vitest";
import { type Address, decodeAddress } from "../../../src/core/address/address.ts";
import type { Prepared, TargetResponse } from "../../../src/core/exchange/exchange.ts";
import { sendFollowing } from "../../../src/core/way/redirects.ts";
import { Fields } from "../../../src/core/http/fields.ts";

const ADDRESSES = ["192.0.2.1"];

function requestTo(address: string, method: string): Prepared {
  const { origin, path } = decodeAddress(address)!;
  const headers = new Fields([["cookie", "a=1"], ["content-type", "text/plain"], ["accept", "*/*"]]);
  const cookies = { host: undefined, sendsCookies: true, owner: undefined, isCrossing: false };
  return { method, origin, path, headers, body: null, addresses: ADDRESSES, cookies };
}

/** Follows the redirects to these places, and gives all hops. */
async function follow(places: readonly string[], { method = "GET", status = 302, most = 20 } = {}) {
  const hops: { hop: Prepared; isNamed: boolean }[] = [];
  const checked: string[] = [];
  const send = (hop: Prepared, isNamed: boolean): Promise<TargetResponse> => {
    hops.push({ hop, isNamed });
    const location = places[hops.length - 1];
    const headers = new Fields(location === undefined ? [] : [["location", location]]);
    return Promise.resolve({
      status: location === undefined ? 200 : status,
      statusText: "",
      headers,
      body: null,
    });
  };
  const check = ({ origin, path }: { origin: URL; path: string }, asked: string) => {
    checked.push(`${asked} ${origin.origin}${path}`);
    return ADDRESSES;
  };
  const left: string[] = [];
  const leave = (_: unknown, from: URL, to: URL) => void left.push(`${from.origin} ${to.origin}`);
  const claim = (written: Address, from: URL) =>
    written.origin.hostname === "claimed.test" ? { ...written, origin: from } : written;
  const answer = await sendFollowing(requestTo("https://a.test/x", method), most, send, claim, check, leave);
  return { answer, hops, checked, left };
}

describe("sendFollowing", () => {
  it("gives an answer that is no redirect as it is", async () => {
    const { answer, hops } = await follow([]);
    expect(answer.status).toBe(200);
    expect(answer.finalAddress).toBeUndefined();
    expect(hops).toHaveLength(1);
  });

  it("checks each place, and says where it ended", async () => {
    const { answer, checked, left } = await follow(["/y", "https://b.test/z"]);
    expect(left).toEqual(["https://a.test https://b.test"]);
    expect(checked).toEqual(["GET https://a.test/y", "GET https://b.test/z"]);
    expect(answer.finalAddress?.origin.origin).toBe("https://b.test");
  });

  it("stays where a target claims the place as its own", async () => {
    const { checked, left } = await follow(["http://claimed.test/y?z"]);
    expect([checked, left]).toEqual([["GET https://a.test/y?z"], []]);
  });

  it("keeps credentials at their origin, and knows when it left", async () => {
    const { hops } = await follow(["/y", "https://b.test/z", "https://a.test/"]);
    expect(hops.map(({ hop }) => hop.headers.get("cookie"))).toEqual(["a=1", "a=1", null, null]);
    expect(hops.map(({ isNamed }) => isNamed)).toEqual([true, true, false, false]);
  });
});
