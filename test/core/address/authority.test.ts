/** A Host taken apart, and the label in it. */
import { expect, it } from "vitest";
import { dropDefaultPort, readAuthority, readLabel } from "../../../src/core/address/authority.ts";

it.each([
  { host: "localhost:8080", name: "localhost", port: 8080, isLoopback: true },
  { host: "LocalHost", name: "localhost", port: undefined, isLoopback: true },
  { host: "a.localhost.:80", name: "a.localhost", port: 80, isLoopback: true },
  { host: "127.1.2.3:1", name: "127.1.2.3", port: 1, isLoopback: true },
  { host: "[::1]:8080", name: "[::1]", port: 8080, isLoopback: true },
  { host: "a.test", name: "a.test", port: undefined, isLoopback: false },
  { host: "a.test:", name: "a.test", port: undefined, isLoopback: false },
  { host: "localhost.a.test", name: "localhost.a.test", port: undefined, isLoopback: false },
  { host: "", name: "", port: undefined, isLoopback: false },
])("a Host: $host", ({ host, ...parts }) => expect(readAuthority(host)).toEqual(parts));

it.each([
  { host: "a-test.w.localhost:8080", domain: "localhost", label: "a-test" },
  { host: "A-Test.W.Localhost.", domain: "localhost", label: "a-test" },
  { host: "a.b.w.localhost", domain: "localhost", label: "a.b" },
  { host: "a-test.w.proxy.test:443", domain: "proxy.test", label: "a-test" },
  { host: "a-test.w.proxy.test", domain: "localhost", label: undefined },
  { host: "a-test.w.localhost.evil.test", domain: "localhost", label: undefined },
  { host: "w.localhost", domain: "localhost", label: undefined },
  { host: "localhost:8080", domain: "localhost", label: undefined },
  { host: "", domain: "localhost", label: undefined },
])("the label of $host under $domain: $label", ({ host, domain, label }) => {
  expect(readLabel(host, domain)).toBe(label);
});

it.each([
  { origin: "http://a.test:80", plain: "http://a.test" },
  { origin: "https://a.test:443", plain: "https://a.test" },
  { origin: "http://a.test:", plain: "http://a.test" },
  { origin: "http://a.test:443", plain: "http://a.test:443" },
  { origin: "https://a.test:80", plain: "https://a.test:80" },
  { origin: "http://a.test:8080", plain: "http://a.test:8080" },
  { origin: "http://[::80]", plain: "http://[::80]" },
  { origin: "http://", plain: "http://" },
  { origin: "null", plain: "null" },
])(
  "the default port is left out of $origin: $plain",
  ({ origin, plain }) => expect(dropDefaultPort(origin)).toBe(plain),
);
