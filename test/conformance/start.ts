/**
 * How the proxy starts: the start line, flags, TLS.
 * @module
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { reply } from "../support/answers.ts";
import { declareOnce, declareWith } from "../support/capabilities.ts";
import { CERTIFICATE, PRIVATE_KEY } from "../support/certificate.ts";
import { isExpired, setCookiesOf } from "../support/expect.ts";
import type { Pool } from "../support/pool.ts";
import { freePort } from "../support/free-port.ts";
import { startProxy } from "../support/proxy.ts";
import { listen } from "../support/upstream.ts";

/** Declares the tests. */
export function describeStart(pool: Pool): void {
  declareWith(pool.runtime, "a TLS listener of its own", () => describeTls(pool));
  declareWith(pool.runtime, "a command line", () => describeLine(pool));
  declareOnce(pool.runtime, () => describeFlags(pool));
}

function describeLine(pool: Pool): void {
  describe("the start line", () => {
    it("stands for a listener that tells IPv4 callers from IPv6 ones", async () => {
      const proxy = await startProxy(pool.runtime, { HOST: "::" });
      const answers = [await proxy.call("GET /"), await proxy.call("GET /", { host: "::1" })];
      const { code } = await proxy.stop();
      expect(answers.map((answer) => answer.json())).toMatchObject([{ ip: "127.0.0.1" }, { ip: "::1" }]);
      const { pid } = proxy.process;
      expect([code, proxy.stderr().replace(/\d+\.\d+\.\d+(?=,)/, "VERSION")]).toEqual([
        0,
        `fetchvia listening on http://[::]:${proxy.port} (${pool.runtime} VERSION, pid ${pid}, private targets refused)` +
        `, console at http://[::1]:${proxy.port}/__proxy__/, no token required\n`,
      ]);
    });
  });
}

function describeFlags(pool: Pool): void {
  describe("flags", () => {
    it("set what the environment sets, by --x v and --x=v; --target takes what names no target", async () => {
      const [preset, named, port] = await Promise.all([listen(), listen(), freePort()]);
      preset.answer = reply(200, {}, "preset");
      named.answer = reply(200, {}, "named");
      const labels = ["--proxy-labels", "api=https://api.test/v1"];
      const flags = [`--port=${port}`, ...labels, "--console=false", "--target", `${preset.origin}/v1`];
      const proxy = await startProxy(pool.runtime, {}, { flags, port });
      const fields = { Host: "api.w.localhost", Accept: "text/html" };
      const told = await proxy.call("GET /__proxy__/", { fields });
      const answers = [
        await proxy.call("GET /users?x=1"),
        await proxy.call("GET /users?x=1", { fields: { proxy_host: named.origin } }),
      ];
      await Promise.all([proxy.stop("SIGKILL"), preset.close(), named.close()]);
      expect(told.json()).toEqual({ host: "https://api.test/v1", selector: "label" });
      expect(answers.map(({ text }) => text)).toEqual(["preset", "named"]);
      expect([preset.targets, named.targets]).toEqual([["/v1/users?x=1"], ["/users?x=1"]]);
    });
  });
}

function describeTls(pool: Pool): void {
  describe("TLS, with files that hold more than what is asked for, and begin with a byte order mark", () => {
    const folder = mkdtempSync(join(tmpdir(), "fetchvia-"));
    afterAll(() => rmSync(folder, { recursive: true }));
    const both = join(folder, "both.pem");
    writeFileSync(both, `\ufeff# localhost\n${CERTIFICATE}${PRIVATE_KEY}`);
    const proxy = pool.with({ TLS_CERT: both, TLS_KEY: both });

    it("is told by the start line, and answers", async () => {
      expect(proxy.child.stderr()).toContain(`fetchvia listening on https://127.0.0.1:${proxy.port} `);
      const answer = await proxy.call("GET /p", { tls: true });
      expect(answer.json()).toMatchObject({ msg: "Please set host first!", ip: "127.0.0.1" });
    });

    it("makes the stored host Secure", async () => {
      const answer = await proxy.call("GET /__proxy__/?host=http://a.test", { tls: true });
      expect(setCookiesOf(answer).filter((cookie) => !isExpired(cookie)).map(({ attributes }) => attributes))
        .toEqual([["HttpOnly", "Max-Age=31536000", "Path=/", "SameSite=Lax", "Secure"]]);
    });
  });
}
