/**
 * Connections through another proxy: kept apart by their route, and given up without a trace.
 * @module
 */
import dns from "node:dns";
import { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { decodeRoutes, type Route } from "../../../src/core/address/route.ts";
import { toStandard } from "../../../src/core/http/body.ts";
import { Cancellation } from "../../../src/core/http/cancellation.ts";
import { ProxyError } from "../../../src/core/http/error.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { takeBody } from "../../../src/core/exchange/web-standard.ts";
import { connectionOptions } from "../../../src/wire/client/connection-options.ts";
import { createHttpSender } from "../../../src/wire/client/sender.ts";
import { TunnelWire } from "../../../src/wire/tunnel/tunnel-wire.ts";
import { listenTunnel, type TunnelProxy } from "../../support/tunnel-proxy.ts";
import { listen, type Upstream } from "../../support/upstream.ts";
import { waitFor } from "../../support/wait.ts";

const PUBLIC = ["93.184.216.34"];
let tunnel: TunnelProxy;
let upstream: Upstream;
let send: ReturnType<typeof createHttpSender>;

beforeEach(async () => {
  [tunnel, upstream] = await Promise.all([listenTunnel(), listen()]);
  send = createHttpSender();
});
afterEach(() => Promise.all([tunnel.close(), upstream.close()]));

async function ask(route: Route | undefined, signal = new Cancellation()): Promise<string> {
  const origin = new URL(`http://name.test:${upstream.port}`);
  const headers = new Fields([["host", origin.host]]);
  const addresses = route ? PUBLIC : ["127.0.0.1"];
  const { body } = await send({
    method: "GET",
    origin,
    path: "/",
    headers,
    body: null,
    addresses,
    route,
    signal,
  });
  return await new Response(toStandard(takeBody(body))).text();
}

const routeTo = (to: TunnelProxy) => decodeRoutes(to.address)?.http;

describe("a connection through another proxy", () => {
  it("asks for the judged address of a name, and is used again", async () => {
    const route = routeTo(tunnel);
    expect([await ask(route), await ask(route)]).toEqual(["ok", "ok"]);
    expect(tunnel.asked).toEqual([`${PUBLIC[0]}:${upstream.port}`]);
    expect(upstream.requests.map((request) => request.header("host")))
      .toEqual(Array(2).fill(`name.test:${upstream.port}`));
  });

  it("is never used for another route, nor for none", async () => {
    const [one, other] = [routeTo(tunnel), routeTo(tunnel)];
    await ask(one);
    await ask(other);
    await ask(undefined);
    await ask(one);
    expect(tunnel.connections).toBe(2);
    expect(upstream.requests.map(({ connection }) => connection)).toEqual([1, 2, 3, 1]);
  });

  it("is closed where it is given up, and says what it waited for", async () => {
    tunnel.mode = "hang";
    const signal = new Cancellation();
    const answer = ask(routeTo(tunnel), signal);
    await waitFor(() => expect(tunnel.asked).toHaveLength(1));
    signal.abort(new ProxyError("response_timeout", "late"));
    await expect(answer)
      .rejects.toMatchObject({ code: "connection_timeout", message: expect.stringContaining(tunnel.host) });
    await waitFor(() => expect(tunnel.open).toBe(0));
  });

  it("is given up for any other reason by that reason", async () => {
    tunnel.mode = "hang";
    const signal = new Cancellation();
    const answer = ask(routeTo(tunnel), signal);
    await waitFor(() => expect(tunnel.asked).toHaveLength(1));
    signal.abort(new ProxyError("caller_gone", "gone"));
    await expect(answer).rejects.toMatchObject({ code: "caller_gone" });
  });

  it("goes to its first address, which answers while a turn keeps the proxy from noticing, and the second refuses", async () => {
    const addresses = ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 }));
    const resolve = (_name: string, _options: object, callback: (failure: null, found: object[]) => void) => {
      setImmediate(() => {
        callback(null, addresses);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
      });
    };
    const spy = vi.spyOn(dns, "lookup").mockImplementation(resolve as never);
    expect(await ask(decodeRoutes(tunnel.address.replace("127.0.0.1", "proxy.test"))?.http)).toBe("ok");
    spy.mockRestore();
  });

  it("that ends while it waits is replaced", async () => {
    const route = routeTo(tunnel);
    await ask(route);
    tunnel.cutAll();
    await waitFor(() => expect(tunnel.open).toBe(0));
    expect(await ask(route)).toBe("ok");
    expect(tunnel.connections).toBe(2);
  });

  it("keeps no process running that let go of it before the name of its proxy was known", async () => {
    const unref = vi.spyOn(Socket.prototype, "unref");
    const route = decodeRoutes(tunnel.address.replace("127.0.0.1", "localhost"))!.http!;
    const options = connectionOptions({ origin: new URL(upstream.origin), addresses: PUBLIC, route });
    const watch = { onOpen() {}, onBytes() {}, onDrain() {}, onClose() {} };
    const wire = new TunnelWire(options, route.upstream!, false, watch);
    wire.unref();
    await waitFor(() => expect(wire.socket).toBeDefined());
    expect(unref.mock.contexts).toContain(wire.socket);
    wire.destroy();
    unref.mockRestore();
  });
});
