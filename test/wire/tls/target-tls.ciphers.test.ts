/**
 * The order of ciphers that targets are offered.
 * @module
 */
import { constants } from "node:crypto";
import { createServer, type TLSSocket } from "node:tls";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectionOptions } from "../../../src/wire/client/connection-options.ts";
import { connectTls, orderCiphers } from "../../../src/wire/tls/target-tls.ts";
import { mint } from "../../support/mint.ts";

const NODES = constants.defaultCoreCipherList.split(":");

describe("the order of ciphers", () => {
  it("begins with AES-128, and has all that Node offers", () => {
    const [first, ...others] = orderCiphers(constants.defaultCoreCipherList)!.split(":");
    expect(first).toBe("TLS_AES_128_GCM_SHA256");
    expect(others).toEqual(NODES.filter((name) => name !== first));
  });

  it.each([
    { about: "another order", ciphers: NODES.toReversed().join(":") },
    { about: "fewer ciphers", ciphers: "TLS_AES_256_GCM_SHA384" },
    { about: "none", ciphers: "" },
  ])("is left to who asks for $about", ({ ciphers }) => expect(orderCiphers(ciphers)).toBeUndefined());
});

describe("a target", () => {
  const own = mint({ subject: "own", names: ["a.test"] });
  const server = createServer({ ...own, honorCipherOrder: false }, (socket) => socket.on("error", () => {}));
  let port: number;
  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => void server.close());

  it.each([
    { about: "without an entry", tls: undefined },
    { about: "with authorities of its own", tls: { ca: own.cert } },
  ])("$about is asked for AES-128 first", async ({ tls }) => {
    const options = connectionOptions({
      origin: new URL(`https://a.test:${port}`),
      addresses: ["127.0.0.1"],
      route: tls && { tls },
    });
    const socket: TLSSocket = connectTls(options, { rejectUnauthorized: false });
    await once(socket, "secureConnect");
    expect(socket.getCipher().name).toBe("TLS_AES_128_GCM_SHA256");
    socket.destroy();
  });
});
