/**
 * Who may reach private targets, and see live traffic.
 * @module
 */
import { describe, expect, it } from "vitest";
import { type Options, readOptions } from "../src/config.ts";
import { allowsPrivate, isTrusted } from "../src/trust.ts";

const LABEL = "a-test.w.localhost:8080";
const LOCAL = "localhost:8080";

interface Situation {
  host: string;
  isPage?: boolean;
  listensOnLoopback?: boolean;
  options?: Options;
}

const OTHER = new URL("http://127.0.0.1:3000");

const asking = ({ host, isPage = false, listensOnLoopback = true, options = {} }: Situation) => ({
  config: readOptions(options),
  runtime: { listensOnLoopback },
  caller: {
    host,
    origin: `http://${host}`,
    isSecure: false,
    address: "127.0.0.1",
    isBrowser: isPage,
    isPage,
  },
});

describe("private targets by default", () => {
  it.each([
    { host: LOCAL, selector: "url" as const, isAllowed: true },
    { host: LOCAL, isPage: true, selector: "url" as const, isAllowed: true },
    { host: LABEL, selector: "header" as const, isAllowed: true },
    { host: LABEL, isPage: true, selector: "label" as const, isAllowed: true },
    { host: LABEL, isPage: true, selector: "header" as const, isAllowed: false },
    { host: LABEL, isPage: true, selector: "cookie" as const, isAllowed: false },
    { host: LABEL, isPage: true, selector: "url" as const, isAllowed: false },
    { host: LABEL, isPage: true, selector: "arg" as const, isAllowed: false },
    { host: LABEL.toUpperCase(), isPage: true, selector: "url" as const, isAllowed: false },
    { host: "a.test", selector: "url" as const, isAllowed: false },
    { host: LOCAL, listensOnLoopback: false, selector: "url" as const, isAllowed: false },
  ])("$host, $selector, of a page: $isPage → $isAllowed", ({ selector, isAllowed, ...situation }) => {
    expect(allowsPrivate(asking(situation), OTHER, selector)).toBe(isAllowed);
  });
});

it("a page behind a label reaches its own target by url too", () => {
  const own = asking({ host: "127-0-0-1-3000.w.localhost:8080", isPage: true });
  expect(allowsPrivate(own, OTHER, "url")).toBe(true);
  expect(allowsPrivate(own, new URL("http://127.0.0.1:3001"), "url")).toBe(false);
});

it.each([{ privateTargets: true }, { privateTargets: false }])(
  "the setting forces $privateTargets",
  (options) => {
    const situation = { host: LABEL, isPage: true, options };
    expect(allowsPrivate(asking(situation), OTHER, "url")).toBe(options.privateTargets);
  },
);

describe("the sight of traffic", () => {
  it.each([
    { host: LOCAL, isPage: true, is: true },
    { host: LABEL, isPage: true, is: false },
    { host: LABEL, isPage: true, options: { privateTargets: true }, is: false },
    { host: LABEL, isPage: true, options: { proxyToken: "secret" }, is: false },
    { host: "a.test", is: false },
    { host: "a.test", options: { proxyToken: "secret" }, is: true },
    { host: "a.test", options: { privateTargets: true }, is: true },
  ])("$host, of a page: $isPage, $options → $is", ({ is, ...situation }) => {
    expect(isTrusted(asking(situation))).toBe(is);
  });
});
