/** Vite's check of Host. */
import { expect, it } from "vitest";
import { type HostOptions, isAllowedHost } from "../../../src/runtimes/node/allowed-hosts.ts";

const LISTED: HostOptions = { allowedHosts: ["app.test", ".below.test"] };

it.each<{ host: string | undefined; options: HostOptions; is: boolean }>([
  { host: "localhost", options: {}, is: true },
  { host: "localhost:5173", options: {}, is: true },
  { host: "LOCALHOST:5173", options: {}, is: true },
  { host: "a.b.localhost:5173", options: {}, is: true },
  { host: "127.0.0.1:5173", options: {}, is: true },
  { host: "192.168.1.5:5173", options: {}, is: true },
  { host: "[::1]:5173", options: {}, is: true },
  { host: "[2001:db8::1]", options: {}, is: true },
  { host: "evil.test", options: {}, is: false },
  { host: "localhost.evil.test", options: {}, is: false },
  { host: "127.0.0.1.evil.test", options: {}, is: false },
  { host: "localhost, evil.test", options: {}, is: false },
  { host: "", options: {}, is: false },
  { host: undefined, options: {}, is: false },
  { host: "app.test:5173", options: LISTED, is: true },
  { host: "a.app.test", options: LISTED, is: false },
  { host: "below.test", options: LISTED, is: true },
  { host: "a.below.test", options: LISTED, is: true },
  { host: "notbelow.test", options: LISTED, is: false },
  { host: "evil.test", options: { allowedHosts: true }, is: true },
  { host: "evil.test", options: { https: {} }, is: true },
  { host: "evil.test", options: { host: true }, is: false },
  { host: "dev.test", options: { host: "dev.test" }, is: true },
  { host: "dev.test", options: { origin: "http://dev.test:80" }, is: true },
  { host: "evil.test", options: { origin: "/" }, is: false },
  { host: "dev.test", options: { hmr: { host: "dev.test" } }, is: true },
  { host: "dev.test", options: { ws: { host: "dev.test" } }, is: true },
  { host: "evil.test", options: { hmr: true, ws: false }, is: false },
])("is $is for $host with $options", ({ host, options, is }) => {
  expect(isAllowedHost(host, options)).toBe(is);
});
