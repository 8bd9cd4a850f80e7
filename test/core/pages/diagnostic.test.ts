/**
 * The diagnostic object (specification 2.3): exactly six fields, for every request without a target host.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { Runtime } from "../../../src/core/runtime.ts";
import { createConfiguredProxy, createProxy } from "../../../src/index.ts";
import { readOptions } from "../../../src/core/settings/config.ts";
import { type Fields, incoming } from "../../support/handle.ts";
import { rowsOf } from "../../support/rows.ts";

const asked = (path: string, fields: Fields = {}) => incoming(path, { "user-agent": "curl/8.0", ...fields });

const ask = async (path: string, fields?: Fields) =>
  await (await createProxy().handle(asked(path, fields), {})).json();

it.each([
  { sent: "/?a=/b", path: "/" },
  { sent: "/%2F%7E%zz|'", path: "/%2F%7E%zz|'" },
  { sent: "/a/../b", path: "/a/../b" },
  { sent: "/\\evil.test", path: "/\\evil.test" },
  { sent: "/x/__proxy__/", path: "/x/__proxy__/" },
  { sent: "/%5F_proxy__/", path: "/%5F_proxy__/" },
])("path of $sent is $path", async ({ sent, path }) => {
  expect(await ask(sent)).toMatchObject({ path });
});

describe("fields about the caller", () => {
  it.each(["", "caf\u00e9 <script>\"'"])("user-agent is %s as sent", async (agent) => {
    expect(await ask("/", { "user-agent": agent })).toMatchObject({ "user-agent": agent });
  });

  it("is empty where it is unknown", async () =>
    expect(await (await createProxy().fetch(new Request("http://x.test:81/p"))).json()).toEqual({
      msg: "Please set host first!",
      method: "GET",
      host: "x.test:81",
      path: "/p",
      ip: "",
      "user-agent": "",
    }));
});

describe("a request to a forward proxy", () => {
  const RUNTIME: Runtime = {
    resolve: () => Promise.resolve(["93.184.216.34"]),
    send: () => Promise.resolve({ status: 204, statusText: "", headers: new Headers(), body: null }),
  };

  it.each(rowsOf(["about", "fields", "status"], [
    ["another server", { host: "example.com" }, 400],
    ["another server, whose target is named", { host: "example.com", proxy_host: "https://b.test" }, 204],
    ["the proxy itself", { host: "localhost:8080" }, 204],
  ]))("does not reach the target of the settings: $about", async ({ fields, status }) => {
    const proxy = createConfiguredProxy(readOptions({ target: "https://a.test" }), {});
    const request = { ...asked("/p", fields), isAbsolute: true };
    expect((await proxy.reply(request, RUNTIME)).status).toBe(status);
  });
});
