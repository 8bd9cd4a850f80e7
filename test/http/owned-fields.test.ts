/**
 * Which request fields no caller may set or remove.
 * @module
 */
import { describe, expect, it } from "vitest";
import { isLeftOut, isOwnedByProxy } from "../../src/http/owned-fields.ts";

describe("isOwnedByProxy", () => {
  it.each([
    { name: "host" },
    { name: "content-length" },
    { name: "transfer-encoding" },
    { name: "connection" },
    { name: "te" },
    { name: "expect" },
    { name: "upgrade" },
    { name: "proxy-authorization" },
    { name: "proxy-headers" },
    { name: "proxy_headers" },
    { name: "proxy_seal" },
    { name: "proxy_host" },
    { name: "proxy_token" },
    { name: "x-fetchvia-ticket" },
    { name: "x-fetchvia-viewer" },
    { name: "cdn-loop" },
    { name: "sec-websocket-key" },
    { name: "sec-websocket-protocol" },
  ])("is true for $name", ({ name }) => expect(isOwnedByProxy(name)).toBe(true));

  it.each([
    { name: "cookie" },
    { name: "origin" },
    { name: "referer" },
    { name: "user-agent" },
    { name: "date" },
    { name: "x-forwarded-for" },
    { name: "sec-fetch-site" },
    { name: "content-type" },
    { name: "accept-encoding" },
    { name: "hostess" },
  ])("is false for $name", ({ name }) => expect(isOwnedByProxy(name)).toBe(false));
});

describe("isLeftOut", () => {
  it.each([
    { name: "host", is: true },
    { name: "content-length", is: true },
    { name: "connection", is: true },
    { name: "proxy-authorization", is: true },
    { name: "x-forwarded-for", is: false },
    { name: "proxy_host", is: false },
    { name: "cookie", is: false },
  ])("$name: $is", ({ name, is }) => expect(isLeftOut(name)).toBe(is));
});
