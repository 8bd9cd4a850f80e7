import { describe, expect, it } from "vitest";
import { words } from "../../../support/rows.ts";
import { faultOf, tableOf } from "../../../support/table.ts";

describe("the member upstream", () => {
  it.each(["direct", "http://proxy.test:3128", "https://user:pass@proxy.test", "socks5://127.0.0.1:1080/"])(
    "takes %s",
    (upstream) => expect(tableOf({ "a.test": { upstream } }).entries[0]?.upstream).toBe(upstream),
  );

  it.each([
    ...words(`
      proxy.test:3128 ftp://proxy.test http://proxy.test/path socks5://:empty@proxy.test env
    `),
    "",
    3128,
  ])("refuses %s", (upstream) =>
    expect(faultOf({ "a.test": { upstream } })).toMatch(
      /^Cannot use TARGETS: entry "a\.test" has (?:a bad upstream|upstream 3128), expected an address such as http:/,
    ));

  it("hides credentials that can't be used", () => {
    const fault = faultOf({ "a.test": { upstream: "http://user:s3cret@proxy.test/path" } });
    expect(fault).toMatch(/has a bad upstream/);
    expect(fault).not.toContain("s3cret");
  });

  it.each(words(`localhost a.localhost *.localhost 127.0.0.1 10.0.0.0/8 [::1]:443 192.168.1.7:80`))(
    "is only direct for %s",
    (name) => {
      expect(faultOf({ [name]: { upstream: "http://proxy.test" } }))
        .toMatch(/has a bad upstream, expected direct here/);
      expect(faultOf({ [name]: { upstream: "direct" } })).toBeUndefined();
    },
  );

  it.each(["*", "*.a.test", "93.184.216.34", "0.0.0.0/0"])("is taken for %s", (name) => {
    expect(faultOf({ [name]: { upstream: "http://proxy.test" } })).toBeUndefined();
  });
});
