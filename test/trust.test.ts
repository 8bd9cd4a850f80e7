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
  isBrowser?: boolean;
  listensOnLoopback?: boolean;
  options?: Options;
}

const asking = ({ host, isBrowser = false, listensOnLoopback = true, options = {} }: Situation) => ({
  config: readOptions(options),
  runtime: { listensOnLoopback },
  caller: { host, origin: `http://${host}`, isSecure: false, address: "127.0.0.1", isBrowser },
});

describe("private targets by default", () => {
  it.each([
    { host: LOCAL, selector: "url" as const, isAllowed: true },
    { host: LOCAL, isBrowser: true, selector: "url" as const, isAllowed: true },
    { host: LABEL, selector: "header" as const, isAllowed: true },
    { host: LABEL, isBrowser: true, selector: "label" as const, isAllowed: true },
    { host: LABEL, isBrowser: true, selector: "header" as const, isAllowed: false },
    { host: LABEL, isBrowser: true, selector: "cookie" as const, isAllowed: false },
    { host: LABEL, isBrowser: true, selector: "url" as const, isAllowed: false },
    { host: LABEL, isBrowser: true, selector: "arg" as const, isAllowed: false },
    { host: LABEL.toUpperCase(), isBrowser: true, selector: "url" as const, isAllowed: false },
    { host: "a.test", selector: "url" as const, isAllowed: false },
    { host: LOCAL, listensOnLoopback: false, selector: "url" as const, isAllowed: false },
  ])("$host, $selector, in a browser: $isBrowser → $isAllowed", ({ selector, isAllowed, ...situation }) => {
    expect(allowsPrivate(asking(situation), selector)).toBe(isAllowed);
  });
});

it.each([{ privateTargets: true }, { privateTargets: false }])(
  "the setting forces $privateTargets",
  (options) => {
    const situation = { host: LABEL, isBrowser: true, options };
    expect(allowsPrivate(asking(situation), "url")).toBe(options.privateTargets);
  },
);

describe("the sight of traffic", () => {
  it.each([
    { host: LOCAL, isBrowser: true, is: true },
    { host: LABEL, isBrowser: true, is: false },
    { host: LABEL, isBrowser: true, options: { privateTargets: true }, is: false },
    { host: LABEL, isBrowser: true, options: { proxyToken: "secret" }, is: false },
    { host: "a.test", is: false },
    { host: "a.test", options: { proxyToken: "secret" }, is: true },
    { host: "a.test", options: { privateTargets: true }, is: true },
  ])("$host, in a browser: $isBrowser, $options → $is", ({ is, ...situation }) => {
    expect(isTrusted(asking(situation))).toBe(is);
  });
});
