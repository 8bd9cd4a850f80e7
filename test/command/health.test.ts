/** `fetchvia health`: what it takes for healthy, and what it says of the rest. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { readConfig } from "../../src/core/settings/config.ts";
import { findHealthFault } from "../../src/command/health.ts";

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
    { status: 200, host: "127.0.0.1", says: "" },
    { status: 200, host: "localhost", says: "" },
    { status: 200, host: "0.0.0.0", says: "" },
    { status: 404, host: "127.0.0.1", says: "http://127.0.0.1:PORT answered 404, not 200" },
    { status: 503, host: "0.0.0.0", says: "http://127.0.0.1:PORT answered 503, not 200" },
    { status: 0, host: "127.0.0.1", says: "http://127.0.0.1:PORT did not answer within 3 s" },
  ])("of one that answers $status at $host: $says", async ({ status, host, says }) => {
    const port = await answerWith(status, host);
    expect(await findHealthFault(readConfig({ HOST: host, PORT: String(port) })))
      .toBe(says.replace("PORT", String(port)));
  });

  it("of one that listens on all addresses is asked nearby", async () => {
    const port = await answerWith(200, "::1");
    expect(await findHealthFault(readConfig({ HOST: "::", PORT: String(port) }))).toBe("");
  });

  it("of one that speaks no TLS where the settings say so", async () => {
    const port = await answerWith(200);
    const settings = { PORT: String(port), TLS_CERT: "a.pem", TLS_KEY: "b.pem" };
    expect(await findHealthFault(readConfig(settings)))
      .toBe(`https://127.0.0.1:${port} gave no HTTP response`);
  });

  it("of none", async () => {
    const port = await answerWith(200);
    server?.close();
    expect(await findHealthFault(readConfig({ PORT: String(port) })))
      .toBe(`http://127.0.0.1:${port} refused the connection`);
  });
});
