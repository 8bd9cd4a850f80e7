/**
 * Who asks: what a browser says of each request, and what it says nothing of.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { Asker } from "../../src/exchange/asker.ts";
import type { Options } from "../../src/settings/config.ts";
import { BROWSER } from "../support/browser-fields.ts";
import { exchangeOf, TICKET } from "../support/exchange.ts";

const LABEL = "h-evil-test.w.localhost:8080";
const EVIL = "proxy_host=http://evil.test";

type Fields = Record<string, string | undefined>;

describe("who asks", () => {
  const rows: { about: string; fields: Fields; options?: Options; asker: Asker }[] = [
    { about: "curl", fields: {}, asker: "program" },
    {
      about: "curl with a cookie and a Referer",
      fields: { cookie: EVIL, referer: "http://a.test/" },
      asker: "program",
    },
    { about: "curl behind a label", fields: { host: LABEL }, asker: "program" },
    { about: "an address that is typed", fields: BROWSER.typed, asker: "user" },
    {
      about: "a form of the proxy's own page",
      fields: { ...BROWSER.link, referer: "http://localhost:8080/__proxy__/" },
      asker: "user",
    },
    { about: "any page behind a label", fields: { ...BROWSER.script, host: LABEL }, asker: "page" },
    { about: "what is typed behind a label", fields: { ...BROWSER.typed, host: LABEL }, asker: "page" },
    {
      about: "who shows the ticket behind a label",
      fields: { ...BROWSER.script, "host": LABEL, "x-fetchvia-ticket": TICKET },
      asker: "page",
    },
    { about: "a page by the cookie", fields: { ...BROWSER.script, cookie: EVIL }, asker: "page" },
    {
      about: "a page by a cookie that can't be read",
      fields: { ...BROWSER.script, cookie: "proxy_host=x" },
      asker: "page",
    },
    { about: "what is typed with the cookie", fields: { ...BROWSER.typed, cookie: EVIL }, asker: "page" },
    {
      about: "a page that leaves out the cookie",
      fields: { ...BROWSER.script, referer: "http://localhost:8080/x" },
      asker: "page",
    },
    { about: "a page that leaves out all it can", fields: BROWSER.script, asker: "page" },
    { about: "the same without CORS", fields: BROWSER.blind, asker: "page" },
    {
      about: "an Origin of its own with the cookie",
      fields: { origin: "http://localhost:8080", cookie: EVIL },
      asker: "page",
    },
    {
      about: "the other loopback name of the proxy",
      fields: { ...BROWSER.elsewhere, origin: "http://127.0.0.1:8080", cookie: EVIL },
      asker: "page",
    },
    { about: "the console", fields: { ...BROWSER.script, "x-fetchvia-ticket": TICKET }, asker: "console" },
    {
      about: "the console beside a cookie",
      fields: { ...BROWSER.script, "cookie": EVIL, "x-fetchvia-ticket": TICKET },
      asker: "console",
    },
    {
      about: "a wrong ticket",
      fields: { ...BROWSER.script, "cookie": EVIL, "x-fetchvia-ticket": "x" },
      asker: "page",
    },
    {
      about: "a page on another port",
      fields: { ...BROWSER.elsewhere, origin: "http://localhost:5173" },
      asker: "granted",
    },
    {
      about: "a page that is listed",
      fields: { ...BROWSER.elsewhere, origin: "https://app.test" },
      options: { corsOrigins: "https://app.test" },
      asker: "granted",
    },
    {
      about: "a page of `*`",
      fields: { ...BROWSER.elsewhere, origin: "https://evil.test" },
      options: { corsOrigins: "*" },
      asker: "stranger",
    },
    {
      about: "a page of `*` behind a label",
      fields: { ...BROWSER.elsewhere, host: LABEL, origin: "https://evil.test" },
      options: { corsOrigins: "*" },
      asker: "stranger",
    },
    {
      about: "a link beside `*`",
      fields: { ...BROWSER.typed, "sec-fetch-site": "cross-site" },
      options: { corsOrigins: "*" },
      asker: "user",
    },
    { about: "a label's page", fields: { ...BROWSER.elsewhere, origin: `http://${LABEL}` }, asker: "user" },
    {
      about: "a page of the preset target",
      fields: { ...BROWSER.link, referer: "http://localhost:8080/x" },
      options: { target: "http://a.test" },
      asker: "page",
    },
  ];
  it.each(rows)("$about: $asker", ({ fields, options, asker }) => {
    expect(exchangeOf({ fields, options }).asker).toBe(asker);
  });
});
