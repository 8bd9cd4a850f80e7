/**
 * What callers are told of a TLS handshake that fails, where no entry of the table is for the target (rules 12.2, 12.5).
 * @module
 */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, it, onTestFinished } from "vitest";
import { mint } from "../support/mint.ts";
import { expectError, listen, type Proxy, rowsOf } from "../support/topic.ts";

const alert = (kind: number) => Buffer.from([0x15, 3, 3, 0, 2, 2, kind]);
/** Of a target that knows nothing of later versions (RFC 8446 §D.1). */
const serverHello = (minor: number) =>
  Buffer.concat([
    Buffer.from([0x16, 3, minor, 0, 42, 2, 0, 0, 38, 3, minor]),
    Buffer.alloc(33).fill(1, 0, 32),
    Buffer.from([0, 0x2f, 0]),
  ]);

/** What a target says in place of its part of a handshake, and what the caller is told. */
const FAILED = rowsOf(["about", "says", "told"], [
  ["HTTP", "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n", /does not speak https/],
  ["a banner of SSH", "SSH-2.0-OpenSSH_9.2\r\n", /does not speak https/],
  ["frames of HTTP/2", Buffer.from([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4]), /does not speak https/],
  ["zeros", Buffer.alloc(64), /does not speak https/],
  ["that it knows no such version", alert(70), /only an older TLS, expected TLS 1\.2 or later/],
  ["TLS 1.0", serverHello(1), /only an older TLS, expected TLS 1\.2 or later/],
  ["SSL 3", serverHello(0), /only an older TLS, expected TLS 1\.2 or later/],
  ["that it refuses", alert(40), /It may have no cipher in common/],
  ["that all is too weak", alert(71), /It may have no cipher in common/],
  ["that it has no such name", alert(112), /does not know the name .* set serverName/],
  ["that it speaks other protocols", alert(120), /speaks https, but not HTTP\/1\.1/],
  ["that it has broken down", alert(80), /the target broke it off/],
]);

/** @param proxyOf the proxy, which has a table */
export function describeFailedHandshakes(proxyOf: () => Proxy): void {
  describe("handshakes with targets", () => {
    const ask = (port: number) =>
      proxyOf().call("GET /p", { fields: { proxy_host: `https://localhost:${port}` } });

    it("name what mends them, where no entry does", async () => {
      const target = await listen({ tls: mint({ names: ["localhost"] }) });
      onTestFinished(() => target.close());
      expectError(await ask(target.port), {
        status: 502,
        error: "tls_certificate_error",
        names: /is self-signed\. To trust it, set ca in the entry of this target in the table of targets/,
      });
    });

    it.each([
      ...FAILED.map((row) => ({ ...row, then: "and wait", send: "write" } as const)),
      ...FAILED.map((row) => ({ ...row, then: "and close", send: "end" } as const)),
    ])("that say $about $then are told from each other", async ({ says, send, told }) => {
      const server = createServer((socket) => {
        socket.on("error", () => {});
        socket.once("data", () => socket[send](says));
      });
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      onTestFinished(() => void server.close());
      const { port } = server.address() as AddressInfo;
      expectError(await ask(port), { status: 502, error: "tls_protocol_error", names: told });
    });
  });
}
