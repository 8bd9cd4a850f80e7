/**
 * TLS as an entry asks for it, over loopback. On every runtime: `test/conformance/target-certificates.ts`.
 * @module
 */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Server, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectionOptions } from "../../../src/wire/client/connection-options.ts";
import type { Route, TargetTls } from "../../../src/core/address/route.ts";
import { connectTrusted } from "../../../src/wire/tls/target-tls.ts";
import { pinFor } from "../../support/faulty-targets.ts";
import { mint } from "../../support/mint.ts";
import { rowsOf } from "../../support/rows.ts";

const OWN = mint({ subject: "own", names: ["a.test"] });
const ADDRESSES = ["127.0.0.1"];

describe("a connection with TLS", () => {
  let server: Server;
  let names: string[];
  beforeAll(async () => {
    const SNICallback = (name: string, done: (error: null) => void) => {
      names.push(name);
      done(null);
    };
    server = createServer({ ...OWN, SNICallback }, (socket) => socket.on("error", () => {}));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterAll(() => void server.close());

  /** What happens on a connection: `open`, or the code of its failure. */
  function connect(tls: TargetTls | undefined, target: Server = server): Promise<string> {
    names = [];
    const { port } = target.address() as AddressInfo;
    const route: Route | undefined = tls && { tls };
    const options = connectionOptions({
      origin: new URL(`https://a.test:${port}`),
      addresses: ADDRESSES,
      route,
    });
    let open: (outcome: string) => void;
    const socket: TLSSocket = connectTrusted(options, () => open("open"));
    return new Promise((resolve) => {
      open = resolve;
      socket.on("error", ({ code }: NodeJS.ErrnoException) => resolve(code ?? ""));
    }).finally(() => socket.destroy()) as Promise<string>;
  }

  it.each(rowsOf(["about", "tls", "outcome"], [
    ["without an entry", undefined, "DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["with its authority", { ca: OWN.cert }, "open"],
    ["with its pin alone", { pin: [pinFor(OWN)] }, "DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["with both", { ca: OWN.cert, pin: [pinFor(OWN)] }, "open"],
    ["with another pin", { ca: OWN.cert, pin: [pinFor(mint())] }, "CERT_PIN_MISMATCH"],
    ["unchecked", { insecure: true }, "open"],
    ["unchecked, with another pin", { insecure: true, pin: [pinFor(mint())] }, "CERT_PIN_MISMATCH"],
    ["with another name", { ca: OWN.cert, serverName: "b.test" }, "ERR_TLS_CERT_ALTNAME_INVALID"],
  ]))("$about: $outcome", async ({ tls, outcome }) => expect(await connect(tls)).toBe(outcome));

  it("does not take the key that a certificate only shows for its own", async () => {
    const forged = createServer(mint({ shows: OWN }), (socket) => socket.on("error", () => {}));
    forged.listen(0, "127.0.0.1");
    await once(forged, "listening");
    const outcome = await connect({ insecure: true, pin: [pinFor(OWN)] }, forged);
    forged.close();
    expect(outcome).toBe("CERT_PIN_MISMATCH");
  });

  it.each([
    { tls: { insecure: true }, name: "a.test" },
    { tls: { insecure: true, serverName: "b.test" }, name: "b.test" },
  ])("names $name to the target", async ({ tls, name }) => {
    await connect(tls);
    expect(names).toEqual([name]);
  });

  it("is not tried with certificates that can't be read", () => {
    const tls = { cert: OWN.cert, key: mint().key };
    expect(() => connect(tls)).toThrow(expect.objectContaining({ code: "CERT_UNUSABLE" }));
  });

  it("is pooled by its route", () => {
    const origin = new URL("https://a.test");
    const pools = [undefined, { tls: {} }, { tls: {} }].map((route) =>
      connectionOptions({ origin, addresses: ADDRESSES, route }).pool
    );
    expect(new Set(pools).size).toBe(3);
  });
});
