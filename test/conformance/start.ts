/**
 * How the proxy starts: the start line, flags, TLS.
 * @module
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { declareWith, rowsOnce } from "../support/capabilities.ts";
import { CERT_FILE, CERTIFICATE, KEY_FILE, PRIVATE_KEY } from "../support/certificate.ts";
import { call } from "../support/client.ts";
import { isExpired, setCookiesOf } from "../support/expect.ts";
import type { Pool } from "../support/pool.ts";
import { freePort } from "../support/free-port.ts";
import { Child, type Proxy, startProxy } from "../support/proxy.ts";
import { waitFor } from "../support/wait.ts";

const WARNING = ": WARNING, other machines can reach private targets without a token";

const ANNOUNCED = [
  { settings: {}, address: "http://127.0.0.1", targets: "allowed" },
  // Whoever opens the proxy to others is told whether they need a token.
  {
    settings: { HOST: "0.0.0.0", PRIVATE_TARGETS: "true" },
    address: "http://0.0.0.0",
    targets: "allowed",
    token: `, no token required${WARNING}`,
  },
  { settings: { HOST: "::" }, address: "http://[::]", targets: "refused", token: ", no token required" },
];

/** Declares the tests. */
export function describeStart(pool: Pool): void {
  declareWith(pool.runtime, "a TLS listener of its own", () => describeTls(pool));
  declareWith(pool.runtime, "a command line", () => {
    describeLine(pool);
    describeFlags(pool);
  });
}

function describeLine(pool: Pool): void {
  describe.concurrent("the start line", () => {
    it.each(rowsOnce(pool.runtime, ANNOUNCED))("says $address and $targets for $settings", async (row) => {
      const { settings, address, targets, token = "" } = row;
      const proxy = await startProxy(pool.runtime, settings);
      const { code } = await proxy.stop();
      const facts = `(${pool.runtime} VERSION, pid ${proxy.process.pid}, private targets ${targets})`;
      const near = address.replace("0.0.0.0", "127.0.0.1").replace("[::]", "[::1]");
      const page = `, console at ${near}:${proxy.port}/__proxy__/`;
      expect(proxy.stderr().trim().replace(/\d+\.\d+\.\d+(?=,)/, "VERSION").split("\n"))
        .toEqual([`fetchvia listening on ${address}:${proxy.port} ${facts}${page}${token}`]);
      expect(code).toBe(0);
    });

    it("comes after the warnings, which several workers give once", async () => {
      const warned = { TARGET: "http://backend:3000", HOST: "0.0.0.0", PROXY_TOKN: "s3cret" };
      const proxy = await startProxy(pool.runtime, { ...warned, WORKERS: "2" });
      await proxy.stop();
      const lines = proxy.stderr().trim().split("\n");
      expect(lines.pop()).toContain("fetchvia listening on ");
      const says = [
        "TARGET http://backend:3000 is refused: it is private, and PRIVATE_TARGETS=auto allows that only",
        "the variable PROXY_TOKN has no effect. Did you mean PROXY_TOKEN?",
      ];
      expect(lines).toEqual(says.map((line) => expect.stringContaining(`fetchvia: WARNING, ${line}`)));
    });

    it("stands for a listener that tells IPv4 callers from IPv6 ones", async () => {
      const proxy = await startProxy(pool.runtime, { HOST: "::" });
      const answers = [await proxy.call("GET /"), await proxy.call("GET /", { host: "::1" })];
      await proxy.stop();
      expect(answers.map((answer) => answer.json())).toMatchObject([{ ip: "127.0.0.1" }, { ip: "::1" }]);
    });

    it("tells the port that 0 stands for, and the console, which is there", async () => {
      const child = new Child(pool.runtime, { PORT: "0", MOUNT_PATH: "/in" });
      await waitFor(() => expect(child.stderr()).toContain("listening"));
      const [, port, path] = /, console at http:\/\/127\.0\.0\.1:(\d+)(\/\S+)\n/.exec(child.stderr()) ?? [];
      const { status, text } = await call(Number(port), `GET ${path}`, { fields: { Accept: "text/html" } });
      await child.stop();
      expect([path, status, text.includes("<title>")]).toEqual(["/in/__proxy__/", 200, true]);
    });
  });
}

function describeFlags(pool: Pool): void {
  describe.concurrent("flags", () => {
    it("set what the environment sets, by --x v and --x=v", async () => {
      const port = await freePort();
      const flags = [`--port=${port}`, "--proxy-labels", "api=https://api.test/v1", "--console=false"];
      const proxy = await startProxy(pool.runtime, {}, { flags, port });
      const fields = { Host: "api.w.localhost", Accept: "text/html" };
      const answer = await proxy.call("GET /__proxy__/", { fields });
      expect(answer.json()).toEqual({ host: "https://api.test/v1", selector: "label" });
      await proxy.stop();
    });
  });
}

function describeTls(pool: Pool): void {
  describe("TLS", () => {
    let proxy: Proxy;
    beforeAll(async () => {
      proxy = await startProxy(pool.runtime, { TLS_CERT: CERT_FILE, TLS_KEY: KEY_FILE });
    });
    afterAll(async () => void await proxy?.stop());

    it("is told by the start line", () =>
      expect(proxy.stderr()).toContain(`fetchvia listening on https://127.0.0.1:${proxy.port} `));

    it("answers", async () => {
      const answer = await proxy.call("GET /p", { tls: true });
      expect(answer.json()).toMatchObject({ msg: "Please set host first!", ip: "127.0.0.1" });
    });

    it("takes files that hold more than what is asked for, and begin with a byte order mark", async () => {
      const folder = await mkdtemp(join(tmpdir(), "fetchvia-"));
      const file = join(folder, "both.pem");
      await writeFile(file, `\ufeff# localhost\n${CERTIFICATE}${PRIVATE_KEY}`);
      const both = await startProxy(pool.runtime, { TLS_CERT: file, TLS_KEY: file });
      const answer = await both.call("GET /p", { tls: true });
      await Promise.all([both.stop(), rm(folder, { recursive: true })]);
      expect(answer.status).toBe(200);
    });

    it("makes the stored host Secure", async () => {
      const answer = await proxy.call("GET /__proxy__/?host=http://a.test", { tls: true });
      expect(setCookiesOf(answer).filter((cookie) => !isExpired(cookie)).map(({ attributes }) => attributes))
        .toEqual([["HttpOnly", "Max-Age=31536000", "Path=/", "SameSite=Lax", "Secure"]]);
    });
  });
}
