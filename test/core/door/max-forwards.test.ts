/** `OPTIONS` for the proxy itself, and the hops that are left for a target. @module */
import { describe, expect, it } from "vitest";
import { answerOptions, asksProxy } from "../../../src/core/door/max-forwards.ts";
import { alike } from "../../support/rows.ts";

describe("a request that asks the proxy", () => {
  it.each([
    { method: "OPTIONS", path: "*", hops: undefined, is: true },
    ...alike("path", { method: "OPTIONS", hops: undefined, is: false })`/* /p`,
    ...alike("path", { method: "OPTIONS", hops: "0", is: true })`/p /*`,
    { method: "OPTIONS", path: "/p", hops: "00", is: true },
    ...alike("hops", { method: "OPTIONS", path: "/p", is: true })`5, 0 | 0,0`,
    { method: "OPTIONS", path: "/p", hops: "1", is: false },
    { method: "OPTIONS", path: "/p", hops: "", is: false },
    { method: "OPTIONS", path: "/p", hops: "x", is: false },
    { method: "GET", path: "/*", hops: "0", is: false },
  ])("$method $path with Max-Forwards $hops: $is", ({ method, path, hops, is }) => {
    const headers = new Headers(hops === undefined ? {} : { "max-forwards": hops });
    expect(asksProxy({ method, headers }, path)).toBe(is);
  });

  it("is told the methods, and nothing else", () => {
    const answer = answerOptions();
    expect({ status: answer.status, headers: [...answer.headers] })
      .toEqual({ status: 204, headers: [["allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"]] });
  });
});
