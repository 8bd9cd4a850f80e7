/** `/__proxy__/socket`: passes, and the handshakes that they open. @module */
import { describe, expect, it } from "vitest";
import { encodeArg } from "../../../src/core/address/arg.ts";
import type { Exchange, Target } from "../../../src/core/exchange/exchange.ts";
import { ProcessKey } from "../../../src/core/exchange/process-key.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { answerSocket } from "../../../src/parts/console/socket-page.ts";
import { UsedPasses } from "../../../src/parts/console/used-passes.ts";
import { BROWSER } from "../../support/browser-fields.ts";
import { exchangeOf, type Request, TICKET } from "../../support/exchange.ts";

const HEAD = { url: "https://a.test/live", headers: [["authorization", "Bearer secret"]] };

/** Asks for the WebSocket, and gives back what was forwarded. */
async function ask(request: Request, used = new UsedPasses(), more: Partial<Exchange> = {}) {
  const forwarded: { exchange: Exchange; target: Target }[] = [];
  const exchange = { ...exchangeOf({ path: "/__proxy__/socket", ...request }), ...more };
  const reply = await answerSocket(exchange, used, (exchange, target) => {
    forwarded.push({ exchange, target });
    return Promise.resolve({
      status: 101,
      headers: new Fields([["set-cookie", "a=1"], ["x", "1"]]),
      body: null,
    });
  });
  return { reply, forwarded: forwarded[0] };
}

async function passFor(head: unknown = HEAD, ticket: string | undefined = TICKET): Promise<string> {
  const fields = { ...BROWSER.script, "x-fetchvia-ticket": ticket, "x-fetchvia-request": encodeArg(head) };
  const { reply } = await ask({ method: "POST", fields });
  return (JSON.parse(new TextDecoder().decode(reply.body as Uint8Array)) as { pass: string }).pass;
}

const open = (
  pass: string,
  used?: UsedPasses,
  fields: Request["fields"] = {},
  more: Partial<Exchange> = {},
) =>
  ask(
    {
      path: `/__proxy__/socket?pass=${pass}`,
      fields: {
        origin: "http://localhost:8080",
        upgrade: "websocket",
        cookie: "proxy_host=https://b.test",
        ...fields,
      },
    },
    used,
    more,
  );

describe("a pass", () => {
  it("opens the WebSocket of its head, with the console's rights and nothing of the browser's", async () => {
    const offered = { "sec-websocket-protocol": "a", "sec-websocket-extensions": "permessage-deflate" };
    const { reply, forwarded } = await open(await passFor(), undefined, offered);
    expect(forwarded?.target)
      .toMatchObject({ selector: "arg", isSocket: true, follow: false, path: "/live" });
    expect(forwarded?.exchange.asker).toBe("console");
    const lines = Object.fromEntries(forwarded?.exchange.described?.headers ?? []);
    expect(lines).toEqual({ authorization: "Bearer secret", "user-agent": expect.any(String), ...offered });
    expect([...reply.headers]).toEqual([["x", "1"]]);
  });

  it("tells nothing of its head", async () => {
    const pass = await passFor();
    expect(Buffer.from(pass, "base64url").toString("latin1")).not.toMatch(/secret|a\.test|authorization/);
    expect(await passFor()).not.toBe(pass);
  });

  it.each([
    { about: "used before", change: (pass: string) => pass, used: true },
    { about: "changed", change: (pass: string) => `${pass.slice(0, -2)}AA`, used: false },
    { about: "cut", change: (pass: string) => pass.slice(0, 16), used: false },
    { about: "no Base64", change: () => "§", used: false },
  ])("is refused if it is $about", async ({ change, used }) => {
    const passes = new UsedPasses();
    const pass = await passFor();
    await (used ? open(pass, passes) : Promise.resolve());
    await expect(open(change(pass), passes)).rejects.toMatchObject({ code: "forbidden" });
  });

  it("is refused by another proxy, and on a label", async () => {
    const pass = await passFor();
    await expect(open(pass, undefined, {}, { key: new ProcessKey("other") })).rejects.toMatchObject({
      code: "forbidden",
    });
    const host = { host: "a-test.w.localhost:8080" };
    await expect(open(pass, undefined, host)).rejects.toMatchObject({ code: "forbidden" });
  });

  it.each([
    { about: "no ticket", head: HEAD, ticket: "", code: "forbidden" },
    { about: "a wrong ticket", head: HEAD, ticket: "x", code: "forbidden" },
    { about: "another method", head: { ...HEAD, method: "POST" }, ticket: TICKET, code: "bad_request" },
    { about: "no address", head: {}, ticket: TICKET, code: "bad_request" },
  ])("is not given for $about", async ({ head, ticket, code }) => {
    await expect(passFor(head, ticket)).rejects.toMatchObject({ code });
  });

  it("is asked for by POST", () =>
    expect(ask({ method: "GET" })).rejects.toMatchObject({ code: "method_not_allowed" }));
});
