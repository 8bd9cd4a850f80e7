import { describe, expect, it } from "vitest";
import { faultOf, tableOf } from "../../support/table.ts";

describe("the member upstream", () => {
  it.each([
    { upstream: "direct" },
    { upstream: "http://proxy.test:3128" },
    { upstream: "https://user:pass@proxy.test" },
    { upstream: "socks5://127.0.0.1:1080/" },
  ])("takes $upstream", ({ upstream }) => {
    expect(tableOf({ "a.test": { upstream } }).entries[0]?.upstream).toBe(upstream);
  });

  it.each([
    { upstream: "proxy.test:3128" },
    { upstream: "ftp://proxy.test" },
    { upstream: "http://proxy.test/path" },
    { upstream: "socks5://:empty@proxy.test" },
    { upstream: "" },
    { upstream: 3128 },
    { upstream: "env" },
  ])("refuses $upstream", ({ upstream }) => {
    expect(faultOf({ "a.test": { upstream } })).toMatch(
      /^Cannot use TARGETS: entry "a\.test" has upstream .*, expected an address such as http:/,
    );
  });

  it("hides credentials that can't be used", () => {
    const fault = faultOf({ "a.test": { upstream: "http://user:s3cret@proxy.test/path" } });
    expect(fault).toMatch(/has upstream/);
    expect(fault).not.toContain("s3cret");
  });

  it.each([
    "localhost",
    "a.localhost",
    "*.localhost",
    "127.0.0.1",
    "10.0.0.0/8",
    "[::1]:443",
    "192.168.1.7:80",
  ])(
    "is only direct for %s",
    (name) => {
      expect(faultOf({ [name]: { upstream: "http://proxy.test" } })).toMatch(
        /has a bad upstream, expected direct here/,
      );
      expect(faultOf({ [name]: { upstream: "direct" } })).toBeUndefined();
    },
  );

  it.each(["*", "*.a.test", "93.184.216.34", "0.0.0.0/0"])("is taken for %s", (name) => {
    expect(faultOf({ [name]: { upstream: "http://proxy.test" } })).toBeUndefined();
  });
});
