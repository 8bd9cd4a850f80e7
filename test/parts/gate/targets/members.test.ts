import { describe, expect, it } from "vitest";
import { faultOf, tableOf } from "../../../support/table.ts";

describe("members", () => {
  it.each([
    ["api.test", "https://api.test"],
    ["api.test:80", "http://api.test"],
    ["api.test:8443", "https://api.test:8443"],
    ["localhost:3000", "http://localhost:3000"],
    ["10.0.0.1", "http://10.0.0.1"],
    ["[::1]:81", "http://[::1]:81"],
    ["LocalHost.:3000", "http://localhost:3000"],
    ["10.0.0.1/32:3000", "http://10.0.0.1:3000"],
    ["::1", "http://[::1]"],
    ["[fd00::1]/128:81", "http://[fd00::1]:81"],
  ])("gives %s a label that stands for %s", (name, origin) => {
    const { labels } = tableOf({ [name]: { label: "API" } });
    expect([...labels].map(([label, base]) => [label, base.origin.origin + base.path]))
      .toEqual([["api", origin]]);
  });

  it("makes https of an address with a certificate", () => {
    const { labels } = tableOf({ "10.0.0.1:444": { label: "a", insecure: true } });
    expect(labels.get("a")?.origin.origin).toBe("https://10.0.0.1:444");
  });

  it("reads rules and limits", () => {
    const [entry] = tableOf({
      "a.test": {
        methods: ["GET", "PURGE"],
        paths: ["/v1/", "/ä", "=/ä/../b"],
        requests: ["GET https /v1/", "GET https =/ä", "M-1 ws =/"],
        $comment: ["for readers"],
        timeoutMs: 0,
        maxResponseBytes: 5,
        host: "caller",
        upstream: "direct",
      },
    }).entries;
    expect(entry).toMatchObject({
      methods: ["GET", "PURGE"],
      paths: ["/v1/", "/%C3%A4", "=/%C3%A4/../b"],
      requests: {
        byKind: new Map([["GET https", ["/v1/", "=/%C3%A4"]], ["M-1 ws", ["=/"]]]),
        paths: ["/v1/", "=/%C3%A4", "=/"],
      },
      limits: { timeoutMs: 0, maxResponseBytes: 5 },
      keepsHost: true,
      upstream: "direct",
    });
  });

  it.each([
    [{ label: "a b" }, /has a bad label, expected a label/],
    [{ label: 1 }, /has label 1/],
    [{ methods: "GET" }, /has a bad methods, expected a list/],
    [{ methods: ["G T"] }, /has a bad methods,/],
    [{ paths: ["v1"] }, /has a bad paths,/],
    [{ paths: ["/a?b"] }, /has a bad paths,/],
    [{ paths: ["=a"] }, /has a bad paths,/],
    [{ requests: "GET https /" }, /has a bad requests, expected a list of requests such as/],
    [{ requests: ["GET /"] }, /has a bad requests,/],
    [{ requests: ["GET ftp /"] }, /has a bad requests,/],
    [{ requests: ["GET https /a b"] }, /has a bad requests,/],
    [{ requests: ["G{} https /"] }, /has a bad requests,/],
    [{ requests: ["get https /"] }, /has a bad requests,/],
    [{ requests: [1] }, /has a bad requests,/],
    [{ $comment: 1 }, /has \$comment 1, expected a text, or a list of texts/],
    [{ timeoutMs: -1 }, /has timeoutMs -1, expected a whole number from 0 to 2147483647/],
    [{ idleTimeoutMs: 1.5 }, /has idleTimeoutMs 1\.5/],
    [{ maxRequestBytes: "5" }, /has a bad maxRequestBytes, expected a whole number/],
    [{ host: "me" }, /has a bad host, expected "caller" or "target"/],
    [{ upstream: "ftp://a" }, /has a bad upstream, expected an address/],
    [{ upstream: "http://u:p@a/x" }, /has a bad upstream, expected an address/],
    [{ upstream: "http://u:p/w@a" }, /has a bad upstream/],
    [{ upstream: "u:p@a:3128" }, /has a bad upstream/],
    [{ colour: 1 }, /has "colour", expected one of label, set, /],
    [{ constructor: 1 }, /has "constructor"/],
  ])("refuses %j", (members, fault) => expect(faultOf({ "a.test": members })).toMatch(fault));

  it("labels one host only", () =>
    expect(faultOf({ "*.a.test": { label: "a" } })).toMatch(/has a bad label/));
});
