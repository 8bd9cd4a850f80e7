/** Which request fields no caller may set or remove. */
import { describe, expect, it } from "vitest";
import { isLeftOut, isOwnedByProxy } from "../../../src/core/http/owned-fields.ts";
import { grouped, words } from "../../support/rows.ts";

describe("isOwnedByProxy", () => {
  it.each(words(`
    host content-length transfer-encoding connection te expect upgrade proxy-authorization proxy-headers
    proxy_headers proxy_seal proxy_host proxy_token x-fetchvia-ticket x-fetchvia-viewer cdn-loop
    sec-websocket-key sec-websocket-protocol
  `))("is true for %s", (name) => expect(isOwnedByProxy(name)).toBe(true));

  it.each(words(`
    cookie origin referer user-agent date x-forwarded-for sec-fetch-site content-type accept-encoding hostess
  `))("is false for %s", (name) => expect(isOwnedByProxy(name)).toBe(false));
});

it.each(grouped(["is", "name"], [
  [true, ["host", "content-length", "connection", "proxy-authorization"]],
  [false, ["x-forwarded-for", "proxy_host", "cookie"]],
]))("isLeftOut: $name: $is", ({ name, is }) => expect(isLeftOut(name)).toBe(is));
