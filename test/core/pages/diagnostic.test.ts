/**
 * The diagnostic object (specification 2.3): exactly six fields, for every request without a target host.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { Incoming, Runtime } from "../../../src/core/runtime.ts";
import { createConfiguredProxy, createProxy } from "../../../src/index.ts";
import { readOptions } from "../../../src/core/settings/config.ts";
import { rowsOf } from "../../support/rows.ts";
const AGENT = "curl/8.0";

/** Header fields of a row; rows of one table need not have the same. */
type Fields = Record<string, string | undefined>;

function incoming(url: string, fields: Fields = {}, method = "GET"): Incoming {
  const headers = new Headers(
    { host: "localhost:8080", "user-agent": AGENT, ...fields } as Record<string, string>,
  );
  return { url, method, headers, body: null, signal: new AbortController().signal };
}

const ask = (request: Incoming, clientAddress?: string) => createProxy().handle(request, { clientAddress });

it("has exactly the six fields of the specification, in their order", async () => {
  const response = await ask(incoming("http://localhost:8080/a/b?c=d"), "127.0.0.1");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.has("proxy-status")).toBe(false);
  expect(await response.text()).toBe(
    `{"msg":"Please set host first!","method":"GET","host":"localhost:8080","path":"/a/b","ip":"127.0.0.1","user-agent":"${AGENT}"}`,
  );
});

it.each([
  { sent: "/?a=/b", path: "/" },
  { sent: "/%2F%7E%zz|'", path: "/%2F%7E%zz|'" },
  { sent: "/a/../b", path: "/a/../b" },
  { sent: "/\\evil.test", path: "/\\evil.test" },
  { sent: "/x/__proxy__/", path: "/x/__proxy__/" },
  { sent: "/%5F_proxy__/", path: "/%5F_proxy__/" },
])("path of $sent is $path", async ({ sent, path }) => {
  expect(await (await ask(incoming(`http://localhost:8080${sent}`))).json()).toMatchObject({ path });
});

describe("fields about the caller", () => {
  it.each(["", "caf\u00e9 <script>\"'"])("user-agent is %s as sent", async (agent) => {
    const request = incoming("http://localhost:8080/", { "user-agent": agent });
    expect(await (await ask(request)).json()).toMatchObject({ "user-agent": agent });
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
    const request = { ...incoming("http://localhost:8080/p", fields), isAbsolute: true };
    expect((await proxy.reply(request, RUNTIME)).status).toBe(status);
  });
});
