/** The reserved paths: which are, which are not, and the title of an error on each. @module */
import { describe, expect, it } from "vitest";
import { createProxy } from "../../../src/index.ts";
import { isReserved, titleOf } from "../../../src/core/address/reserved-paths.ts";
import { incoming } from "../../support/handle.ts";
import { alike, words } from "../../support/rows.ts";

const ask = (path: string, method = "GET"): Promise<Response> =>
  createProxy().handle(incoming(path, {}, method), { clientAddress: "127.0.0.1", listensOnLoopback: true });

it.each([
  ...alike("path", { is: true })`/__proxy__ /__proxy__/ /__proxy__?host=x /__proxy__/fetch?arg=x
    /__proxy__/anything/else /__proxy__//evil.test /__proxy__/../x`,
  ...alike("path", { is: false })`/ * /__proxy_ /__proxy__x /__proxy__%2F /__PROXY__/ /%5F_proxy__/
    //__proxy__/ /x/__proxy__/ /?/__proxy__/`,
  { path: "", is: false },
  { path: "/__proxy__\\", is: false },
])("isReserved $path: $is", ({ path, is }) => expect(isReserved(path)).toBe(is));

it.each([
  ...alike("path", { title: "Fetch API Error" })`/__proxy__/fetch /__proxy__/fetch?arg=x /__proxy__/fetch?
    /__proxy__/fetch/ /__proxy__/fetch/?arg=x`,
  ...alike("path", { title: "Proxy Error" })`/__proxy__/ /__proxy__/fetches /__proxy__/fetch/x
    /__proxy__/fetch// /__proxy__/?url=/__proxy__/fetch /x/__proxy__/fetch /`,
])("titleOf of $path is $title", ({ path, title }) => expect(titleOf(path)).toBe(title));

describe("every other path under /__proxy__/", () => {
  it.each(words`/__proxy__/unknown /__proxy__/Health /__proxy__/healthy /__proxy__/health/x
    /__proxy__/fetch/x /__proxy__/fetches /__proxy__/constructor /__proxy__/__proto__ /__proxy__/..
    /__proxy__/../x /__proxy__/health/ /__proxy__/fetch//?arg=e30 /__proxy__/fetch/x/?arg=e30 /__proxy__//
    /__proxy__//fetch?arg=e30 /__proxy__/x/../health /__proxy__/x/../fetch?arg=e30
    /__proxy__/health/../fetch?arg=e30 /__proxy__/x/.. /__proxy__/./fetch?arg=e30
    /__proxy__/\..\fetch?arg=e30 /__proxy__/%66etch?arg=e30 /__proxy__/x/%2e%2e/health
    /__proxy__/x?url=http://a.test/ /__proxy__/%zz /__proxy__/( /__proxy__/é`)(
    "%s is a 404 with the error object",
    async (path) => {
      const response = await ask(path);
      expect(response.status).toBe(404);
      expect(response.headers.get("proxy-status")).toMatch(/^fetchvia; error=/);
      expect(await response.json()).toEqual({
        title: "Proxy Error",
        detail: expect.stringMatching(/^Cannot .+: .*|^Cannot .+, expected .+/),
      });
    },
  );

  it.each(words`POST OPTIONS FOO`)("%s is one too", async (method) => {
    expect((await ask("/__proxy__/unknown", method)).status).toBe(404);
  });
});
