/** `fetchvia health`: what it takes for healthy. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { readConfig } from "../../src/core/settings/config.ts";
import { isHealthy } from "../../src/command/health.ts";

let server: Server | undefined;
afterEach(() => void server?.close().closeAllConnections());

/** Listens and answers everything with that status; with 0 never. */
async function answerWith(status: number, host = "127.0.0.1"): Promise<number> {
  const listening = createServer((_, response) => void (status && response.writeHead(status).end()));
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, host, resolve));
  return (listening.address() as AddressInfo).port;
}

describe("health", () => {
  it.each([
    { status: 200, host: "127.0.0.1", is: true },
    { status: 200, host: "localhost", is: true },
    { status: 200, host: "0.0.0.0", is: true },
    { status: 404, host: "127.0.0.1", is: false },
    { status: 503, host: "127.0.0.1", is: false },
    { status: 0, host: "127.0.0.1", is: false },
  ])("of one that answers $status at $host is $is", async ({ status, host, is }) => {
    const port = await answerWith(status);
    expect(await isHealthy(readConfig({ HOST: host, PORT: String(port) }))).toBe(is);
  });

  it("of one that listens on all addresses is asked nearby", async () => {
    const port = await answerWith(200, "::1");
    expect(await isHealthy(readConfig({ HOST: "::", PORT: String(port) }))).toBe(true);
  });

  it("of one that speaks no TLS where the settings say so is false", async () => {
    const port = await answerWith(200);
    const settings = { PORT: String(port), TLS_CERT: "a.pem", TLS_KEY: "b.pem" };
    expect(await isHealthy(readConfig(settings))).toBe(false);
  });

  it("of none is false", async () => {
    const port = await answerWith(200);
    server?.close();
    expect(await isHealthy(readConfig({ PORT: String(port) }))).toBe(false);
  });
});
