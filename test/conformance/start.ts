/**
 * How the proxy starts: the start line, flags, TLS.
 * @module
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reply } from "../support/answers.ts";
import { declareWith } from "../support/capabilities.ts";
import { CERT_FILE, CERTIFICATE, KEY_FILE, PRIVATE_KEY } from "../support/certificate.ts";
import { call } from "../support/client.ts";
import { isExpired, setCookiesOf } from "../support/expect.ts";
import type { Pool } from "../support/pool.ts";
import { freePort } from "../support/free-port.ts";
import { Child, type Proxy, startProxy } from "../support/proxy.ts";
import { listen } from "../support/upstream.ts";
import { waitFor } from "../support/wait.ts";

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
      const { code } = await proxy.stop();
      expect(answers.map((answer) => answer.json())).toMatchObject([{ ip: "127.0.0.1" }, { ip: "::1" }]);
      const { pid } = proxy.process;
      expect([code, proxy.stderr().replace(/\d+\.\d+\.\d+(?=,)/, "VERSION")]).toEqual([
        0,
        `fetchvia listening on http://[::]:${proxy.port} (${pool.runtime} VERSION, pid ${pid}, private targets refused)` +
        `, console at http://[::1]:${proxy.port}/__proxy__/, no token required\n`,
      ]);
    });

    it("tells the port that 0 stands for, and the console, which is there", async () => {
      const child = new Child(pool.runtime, { PORT: "0", MOUNT_PATH: "/in" });
      await waitFor(() => expect(child.stderr()).toContain("listening"));
      const [, port, path] =
        /, private targets allowed\), console at http:\/\/127\.0\.0\.1:(\d+)(\/\S+)\n$/.exec(
          child.stderr(),
        ) ?? [];
      const { status, text } = await call(Number(port), `GET ${path}`, { fields: { Accept: "text/html" } });
      await child.stop();
      expect([path, status, text.includes("<title>")]).toEqual(["/in/__proxy__/", 200, true]);
    });
  });
}

function describeFlags(pool: Pool): void {
  describe.concurrent("flags", () => {
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
