/** Step 4 with another proxy on the way: the sender is told the way, or nothing is sent. */
import { describe, expect, it } from "vitest";
import { ProxyError } from "../../../src/core/http/error.ts";
import { createProxy } from "../../../src/index.ts";
import type { Options } from "../../../src/core/settings/config.ts";
import type { Outgoing, Runtime, Upstream } from "../../../src/core/runtime.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { incoming } from "../../support/handle.ts";

const PUBLIC = "93.184.216.34";
const OK: Upstream = { status: 200, statusText: "", headers: new Fields(), body: null };

/** A proxy, and what its sender was handed. */
function stage(lent: Partial<Runtime>, timeoutMs = 30_000, options: Options = {}) {
  const sent: Outgoing[] = [];
  const send = (outgoing: Outgoing) => {
    sent.push(outgoing);
    return Promise.resolve(OK);
  };
  const proxy = createProxy({ upstreamProxy: "socks5://user:secret@proxy.test", timeoutMs, ...options });
  const ask = (host: string) =>
    proxy.handle(incoming("/p", { proxy_host: host }), {
      listensOnLoopback: true,
      clientAddress: "127.0.0.1",
      resolve: () => Promise.resolve([PUBLIC]),
      send,
      ...lent,
    });
  return { sent, ask };
}

describe("a target behind another proxy", () => {
  it("is sent with its route and its judged addresses", async () => {
    const { sent, ask } = stage({ obeysRoute: true });
    expect((await ask("https://a.test")).status).toBe(200);
    expect(sent).toMatchObject([{ addresses: [PUBLIC], route: { upstream: { host: "proxy.test:1080" } } }]);
  });

  it("is not sent by a sender that connects directly", async () => {
    const { sent, ask } = stage({});
    const answer = await ask("https://a.test");
    expect(answer.status).toBe(501);
    expect(await answer.json())
      .toMatchObject({ detail: expect.stringContaining("the setting upstreamProxy") });
    expect(sent).toEqual([]);
  });

  it.each([
    { about: "certificates", entry: { insecure: true } },
    { about: "a proxy", entry: { upstream: "http://own.test" } },
  ])("is not sent either by such a sender where its entry names $about", async ({ entry }) => {
    const { sent, ask } = stage({}, 30_000, { upstreamProxy: undefined, targets: { "a.test": entry } });
    const answer = await ask("https://a.test");
    expect(answer.status).toBe(501);
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining("the table of targets") });
    expect(sent).toEqual([]);
    expect((await ask("https://b.test")).status).toBe(200);
  });

  it("is sent directly all the same if it is private", async () => {
    const { sent, ask } = stage({});
    expect((await ask("http://127.0.0.1:1")).status).toBe(200);
    expect(sent).toMatchObject([{ addresses: ["127.0.0.1"], route: undefined }]);
  });

  it("is a 504 by the words of the sender, which knows what it waited for", async () => {
    const late = new ProxyError(
      "connection_timeout",
      "Cannot reach a.test: the upstream proxy p:1 did not open the way",
    );
    const send = ({ signal }: Outgoing) =>
      new Promise<Upstream>((_, reject) =>
        signal.addEventListener("abort", () => reject(late), { once: true })
      );
    const answer = await stage({ obeysRoute: true, send }, 20).ask("http://a.test");
    expect(answer.status).toBe(504);
    expect(await answer.json()).toMatchObject({ detail: late.message });
  });
});
