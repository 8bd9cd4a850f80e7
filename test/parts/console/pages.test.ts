/** The console's page is shown to browsers, and nobody else gets it in place of what the seed tells. */
import { expect, it } from "vitest";
import { readOptions } from "../../../src/core/settings/config.ts";
import { makeCapture } from "../../../src/parts/capture/part.ts";
import { openConsole } from "../../../src/parts/console/pages.ts";
import { Traffic } from "../../../src/parts/console/traffic.ts";
import { UsedPasses } from "../../../src/parts/console/used-passes.ts";
import { exchangeOf, TICKET } from "../../support/exchange.ts";
import { hostOf } from "../../support/part.ts";

const config = readOptions({});
const DATA = {
  traffic: new Traffic(TICKET),
  usedPasses: new UsedPasses(),
  capture: makeCapture(config, hostOf(config)),
  forward: () => Promise.reject(new Error("Expected nothing to be forwarded")),
};

it.each([
  { accept: "text/html", cookie: undefined, is: true },
  { accept: "text/html", cookie: "proxy_host=%zz", is: true },
  { accept: "application/json", cookie: undefined, is: false },
  { accept: undefined, cookie: undefined, is: false },
])("is the page for $accept with the cookie $cookie: $is", async ({ accept, cookie, is }) => {
  const reply = await openConsole("/", exchangeOf({ path: "/__proxy__/", fields: { accept, cookie } }), DATA);
  expect(reply?.headers.get("content-type")?.startsWith("text/html")).toBe(is || undefined);
});

it.each([
  { method: "GET", path: "/traffic", listed: 0 },
  { method: "GET", path: "/capture", listed: 0 },
  { method: "POST", path: "/capture", listed: 1 },
])(
  "lists $listed refused $method of $path: a console from before a restart asks again and again",
  async (row) => {
    const { method, path, listed } = row;
    const traffic = new Traffic(TICKET);
    const fields = { "sec-fetch-site": "same-origin" };
    const exchange = exchangeOf({ method, path: `/__proxy__${path}?ticket=old`, fields });
    await expect(openConsole(path, exchange, { ...DATA, traffic })).rejects.toThrow(/^Cannot show/);
    exchange.record.error = "forbidden";
    traffic.note(exchange.record);
    expect(traffic.entries).toHaveLength(listed);
  },
);
