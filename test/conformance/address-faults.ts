/**
 * Which fault the address of a target has, told by every selector and at the start.
 * @module
 */
import { describe, expect, it } from "vitest";
import { argOf, expectError, type Pool } from "../support/topic.ts";

/** Faults that no selector takes. */
const FAULTS = [
  { text: "localhost:3000", fault: "has no scheme" },
  { text: "ftp://a.test", fault: "has the scheme ftp" },
  { text: "http:/a.test", fault: "has no // after its scheme" },
  { text: "http://:80", fault: "has no host" },
  { text: "http://a.test:65536", fault: "has a port above 65535" },
  { text: "http://a.test:00", fault: "has port 0" },
  { text: "http://a.test:http", fault: "has a port that is not a number" },
  { text: "http://2001:db8::1", fault: "has an IPv6 address without brackets" },
  { text: "http://a..test", fault: "has an empty part in its host" },
];

/** Faults of a base address alone. */
const BASE_FAULTS = [
  { text: "http://a.test?x=1", fault: "has a query" },
  { text: "http://a.test/#top", fault: "has a fragment" },
  { text: "http://user:hidden@a.test", fault: "has credentials" },
  { text: "http://a.test/v1\\x", fault: "has a backslash" },
];

const LABELS = [
  { label: "example-com-65536", fault: "has a port outside 1 to 65535" },
  { label: "s-example-com", fault: "is another spelling of example-com" },
  { label: "a_b", fault: "has more than letters, digits and inner hyphens" },
];

export function describeAddressFaults(pool: Pool): void {
  describe("a faulty address", () => {
    const proxy = pool.with();

    it.each([...FAULTS, ...BASE_FAULTS])("in header and cookie: $text $fault", async ({ text, fault }) => {
      const answers = [
        await proxy.call("GET /p", { fields: { proxy_host: text } }),
        await proxy.call("GET /p", { fields: { cookie: `proxy_host=${encodeURIComponent(text)}` } }),
      ];
      const [header, cookie] = answers.map((answer) => {
        expectError(answer, { status: 400 });
        return (answer.json() as { detail: string }).detail;
      });
      const expected =
        "expected a base address such as https://example.com, without query, fragment or credentials";
      expect(header).toBe(`Cannot use header proxy_host: it ${fault}, ${expected}`);
      expect(cookie).toBe(`Cannot use cookie proxy_host: it ${fault}, ${expected}`);
    });

    it.each(FAULTS)("in url and arg: $text $fault", async ({ text, fault }) => {
      const url = await proxy.call(`GET /__proxy__/?url=${encodeURIComponent(text)}`);
      const arg = await proxy.call(`GET /__proxy__/fetch?arg=${argOf({ url: text })}`);
      const expected = "expected an absolute http or https address";
      expect([url.status, arg.status]).toEqual([400, 400]);
      expect(url.json())
        .toEqual({ title: "Proxy Error", detail: `Cannot use parameter url: it ${fault}, ${expected}` });
      expect(arg.json())
        .toEqual({ title: "Fetch API Error", detail: `Cannot use field of arg: url ${fault}, ${expected}` });
    });

    it.each([
      { query: "url=", fault: "is empty" },
      { query: "url=%zz", fault: "has malformed percent-encoding" },
    ])("in $query: it $fault", async ({ query, fault }) => {
      expectError(await proxy.call(`GET /__proxy__/?${query}`), {
        status: 400,
        names: `url: it ${fault}, expected`,
      });
    });

    it.each(LABELS)("in label $label: it $fault", async ({ label, fault }) => {
      const answer = await proxy.call("GET /p", { fields: { Host: `${label}.w.localhost` } });
      const names = `Cannot use host label ${label}: it ${fault}, expected a label such as example-com`;
      expectError(answer, { status: 400, names });
    });
  });
}
