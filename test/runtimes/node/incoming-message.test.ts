/**
 * An incoming message of `node:http` as the core reads it, also behind servers and frameworks that are not the proxy's own.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { NodeRequest } from "../../../src/runtimes/node/incoming-message.ts";
import { rowsOf } from "../../support/rows.ts";

/** A request whose fields are these lines, and what Node has made of them. */
function requestOf(lines: readonly (readonly [string, string])[], headers: object, url = "/"): NodeRequest {
  const incoming = { url, headers, rawHeaders: lines.flat() };
  return new NodeRequest(incoming as unknown as IncomingMessage, {} as ServerResponse);
}

it.each([
  { target: "/p?x", url: "http://a.test/p?x" },
  { target: "?x", url: "http://a.test?x" },
  { target: "", url: "http://a.test" },
  { target: "*", url: "*" },
  { target: "http://b.test/", url: "http://b.test/" },
])("has an address, of what a framework leaves too: $target", ({ target, url }) => {
  const incoming = { url: target, headers: { host: "a.test" }, socket: {} };
  expect(new NodeRequest(incoming as IncomingMessage, {} as ServerResponse).url).toBe(url);
});

it.each([
  { about: "untouched", readableDidRead: false, readableEnded: false, bodyUsed: false },
  { about: "in part", readableDidRead: true, readableEnded: false, bodyUsed: true },
  { about: "to its end", readableDidRead: true, readableEnded: true, bodyUsed: true },
  { about: "to its end, without a chunk", readableDidRead: false, readableEnded: true, bodyUsed: true },
])("a body is used where it was read: $about", ({ bodyUsed, ...incoming }) => {
  const message = { ...incoming, listenerCount: () => 0 };
  const request = new NodeRequest(message as unknown as IncomingMessage, {} as ServerResponse);
  expect(request.bodyUsed).toBe(bodyUsed);
});

it.each(["1.0", "1.1"])("tells that it came by HTTP/%s", (httpVersion) => {
  const request = new NodeRequest({ httpVersion } as IncomingMessage, {} as ServerResponse);
  expect(request.httpVersion).toBe(`HTTP/${httpVersion}`);
});

describe("headers", () => {
  const own = JSON.parse('{"__proto__":"1, 2"}');

  it.each(rowsOf(["about", "lines", "headers", "fields"], [
    ["as they are", [["A", "1"]], { a: "1" }, { a: "1" }],
    ["with lines that Node dropped", [["User-Agent", "1"], ["user-agent", "2"], ["User-agent", "3"]], {
      "user-agent": "1",
    }, { "user-agent": "1, 2, 3" }],
    ["with lines that Node joined", [["Cookie", "a"], ["Cookie", "b"]], { cookie: "a; b" }, {
      cookie: "a; b",
    }],
    ["with __proto__", [["__proto__", "1"], ["__proto__", "2"]], {}, own],
    ["with what a framework changed", [["A", "1"], ["A", "2"], ["B", "1"], ["C", "1"]], {
      a: "own",
      d: "own",
    }, { a: "own", d: "own" }],
  ]))("are read $about", ({ lines, headers, fields }) => {
    const read = requestOf(lines as [string, string][], headers).headers;
    expect(Object.fromEntries(read)).toEqual(fields);
    expect(Object.keys(fields).map((name) => [name, read.get(name)])).toEqual(Object.entries(fields));
  });

  it.each(["constructor", "__proto__", "tostring"])("have no %s that nobody sent", (name) => {
    const read = requestOf([["A", "1"]], { a: "1" }).headers;
    expect([read.get(name), read.has(name)]).toEqual([null, false]);
  });

  it.each([
    { url: "/p", hosts: ["a.test"], host: "a.test" },
    { url: "/p", hosts: ["a.test", "a.test"], host: "a.test, a.test" },
    { url: "http://A.test/p", hosts: ["a.test"], host: "a.test" },
    { url: "http://a.test?x", hosts: ["a.test:80"], host: "a.test:80" },
    { url: "http://a.test:80/p", hosts: ["a.test"], host: "a.test" },
    { url: "HTTPS://a.test/p", hosts: ["a.test:443"], host: "a.test:443" },
    { url: "http://[::1]/p", hosts: ["[::1]:80"], host: "[::1]:80" },
    { url: "http://a.test:443/p", hosts: ["a.test"], host: "a.test, a.test:443" },
    { url: "http://b.test/p", hosts: ["a.test"], host: "a.test, b.test" },
    { url: "http://b.test/p", hosts: [], host: "b.test" },
    { url: "/p", hosts: [], host: null },
  ])("name the host $host at $url", ({ url, hosts, host }) => {
    const lines = hosts.map((name) => ["Host", name] as const);
    expect(requestOf(lines, { host: hosts[0] }, url).headers.get("host")).toBe(host);
  });
});
