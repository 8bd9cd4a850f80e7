/**
 * Targets behind another proxy, by CONNECT over TCP and TLS and by SOCKS 5: its answers, its failures, and its credentials.
 * @module
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AUTHORITY, SIGNED_CERTIFICATE, SIGNED_KEY } from "../support/authority.ts";
import { CERTIFICATE, PRIVATE_KEY } from "../support/certificate.ts";
import { freePort } from "../support/free-port.ts";
import { aliased, PUBLIC_ADDRESS } from "../support/through.ts";
import type { TunnelMode } from "../support/tunnel-parts.ts";
import { listenTunnel, type TunnelKind, type TunnelProxy } from "../support/tunnel-proxy.ts";
import type { Proxy, RuntimeName, Upstream } from "../support/topic.ts";
import { Acceptor, expectError, handshake, join, listen, rowsOnce, runToExit } from "../support/topic.ts";
import { startProxy, waitFor } from "../support/topic.ts";

const LOGIN = "user:p%40ss";
/** Every form in which the password could leak: as set, decoded, and as Basic credentials. */
const SECRETS = /p%40ss|p@ss|dXNlcjpwQHNz/;
const AT = `${LOGIN}@a.test`;
const BAD = { UPSTREAM_PROXY: "env", HTTPS_PROXY: `socks4://${AT}` };
const FLAGS = ["--upstream-proxy", `http://${AT}`];
/** One that waits for no answer for long; nothing else may hang on its clock. */
const HASTY = "hasty.test";
const TARGETS = JSON.stringify({ [HASTY]: { timeoutMs: 4_000 } });
const OWN_TLS = { cert: CERTIFICATE, key: PRIVATE_KEY };
const SIGNED = { cert: SIGNED_CERTIFICATE, key: SIGNED_KEY };

const KINDS: { kind: TunnelKind; about: string }[] = [
  { kind: "http", about: "CONNECT" },
  { kind: "https", about: "CONNECT over TLS" },
  { kind: "socks5", about: "SOCKS 5" },
];

/** Ways in which a tunnel opens, and what arrives. */
const OPENED: { mode: TunnelMode; text: string }[] = [
  ...(["open", "slow", "body", "interim"] as const).map((mode) => ({ mode, text: "ok" })),
  { mode: "early", text: "early" },
];

/** Ways in which none opens. */
const FAILED: { mode: TunnelMode; status: number; error: string; says: string }[] = [
  { mode: "refuse", status: 502, error: "destination_unavailable", says: "refused to connect to it" },
  { mode: "login", status: 502, error: "proxy_configuration_error", says: "does not accept the credentials" },
  { mode: "dead", status: 502, error: "", says: "could not connect to it" },
  { mode: "late", status: 504, error: "connection_timeout", says: "got no response from it in time" },
  { mode: "hang", status: 504, error: "connection_timeout", says: "did not open the way in time" },
  { mode: "cut", status: 502, error: "connection_terminated", says: "closed the connection before" },
  { mode: "garbage", status: 502, error: "http_protocol_error", says: "does not speak" },
];

export function describeUpstream(runtime: RuntimeName): void {
  describe("another proxy", () => {
    let folder: string;
    /** Trusts the certificates of the tests. */
    let trust: Record<string, string>;
    beforeAll(async () => {
      folder = await mkdtemp(joinPath(tmpdir(), "fetchvia-"));
      const file = joinPath(folder, "trusted.pem");
      await writeFile(file, CERTIFICATE + AUTHORITY);
      trust = { NODE_EXTRA_CA_CERTS: file, DENO_CERT: file };
    });
    afterAll(() => rm(folder, { recursive: true }));

    describe.each(KINDS)("by $about", (kind) => describeKind(runtime, kind, () => trust));
    describeStart(runtime);
  });
}

function describeKind(
  runtime: RuntimeName,
  { kind }: { kind: TunnelKind },
  trust: () => Record<string, string>,
): void {
  let tunnel: TunnelProxy;
  let proxy: Proxy;
  let upstream: Upstream;
  beforeAll(async () => {
    // The name is in the certificate, and leads to the listener on every machine.
    const secured = kind === "https" && { tls: OWN_TLS, name: "localhost" };
    tunnel = await listenTunnel({ kind, login: LOGIN, ...secured });
    const settings = { UPSTREAM_PROXY: tunnel.address, UPSTREAM_DNS: "remote", METRICS: "true", TARGETS };
    proxy = await startProxy(runtime, { ...trust(), ...settings });
  });
  beforeEach(async () => {
    tunnel.cutAll();
    tunnel.reset();
    upstream = await listen();
    return () => upstream.close();
  });
  afterAll(() => Promise.all([proxy?.stop("SIGKILL"), tunnel?.close()]));
  const named = () => ({ proxy_host: aliased(upstream) });

  it.each(OPENED)("that answers in the mode $mode leads to the target", async ({ mode, text }) => {
    tunnel.mode = mode;
    const answer = await proxy.call("POST /p?q", { fields: named(), body: "body" });
    expect(answer).toMatchObject({ status: 200, text });
    expect(tunnel.asked).toEqual([`${PUBLIC_ADDRESS}:${upstream.port}`]);
    await waitFor(() => expect(upstream.request.state).toBe("whole"));
    expect(upstream.request.target).toBe("/p?q");
    expect(upstream.request.header("host")).toBe(`${PUBLIC_ADDRESS}:${upstream.port}`);
    expect(upstream.request.head).not.toMatch(/proxy-|user|dXNl/i);
  });

  it.each(FAILED)("in the mode $mode is a $status that names it", async ({ mode, status, error, says }) => {
    tunnel.mode = mode;
    const fields = mode === "hang" ? { proxy_host: `http://${HASTY}:${upstream.port}` } : named();
    const answer = await proxy.call("GET /p", { fields });
    expectError(answer, { status, error: error || undefined, names: says });
    expect(answer.text).toContain(`the upstream proxy ${tunnel.host}`);
    expect(answer.text).not.toMatch(SECRETS);
    // One attempt, and none without it.
    expect(tunnel.connections).toBe(1);
    expect(upstream.requests).toEqual([]);
  });

  it("is kept for the next request", async () => {
    await proxy.call("GET /1", { fields: named() });
    await proxy.call("GET /2", { fields: named() });
    expect(upstream.targets).toEqual(["/1", "/2"]);
    expect(tunnel.connections).toBe(1);
  });

  it("is not asked for private targets", async () => {
    expect((await proxy.call("GET /p", { fields: { proxy_host: upstream.privateOrigin } })).status).toBe(200);
    expect(tunnel.connections).toBe(0);
  });

  it("carries TLS, which is checked by the name that was asked for", async () => {
    const target = await listen({ tls: SIGNED });
    const [right, wrong] = [`tls.test:${target.port}`, `other.test:${target.port}`];
    const answer = await proxy.call("GET /p", { fields: { proxy_host: `https://${right}` } });
    const refused = await proxy.call("GET /p", { fields: { proxy_host: `https://${wrong}` } });
    await target.close();
    expect(answer).toMatchObject({ status: 200, text: "ok" });
    expect(target.request.header("host")).toBe(right);
    expect(tunnel.asked).toEqual([right, wrong]);
    expectError(refused, { status: 502, error: "tls_certificate_error", names: /Cannot reach other\.test/ });
  });

  it("carries TLS to an IP address, and large bodies", async () => {
    const target = await listen({ tls: OWN_TLS });
    const body = "x".repeat(3_000_000);
    target.answer = (request, socket) =>
      void socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${request.body.length}\r\n\r\n${request.body}`);
    const answer = await proxy.call("POST /p", { fields: { proxy_host: aliased(target) }, body });
    await target.close();
    expect([answer.status, answer.text === body]).toEqual([200, true]);
  });

  it("carries WebSockets, with TLS and without", async () => {
    const secure = await listen({ tls: SIGNED });
    const targets = [[upstream, aliased(upstream)], [secure, `https://tls.test:${secure.port}`]] as const;
    for (const [target, origin] of targets) {
      const peers = new Acceptor(target).peers;
      const { caller } = await join(proxy.port, "/", { proxy_host: origin });
      caller.text("there");
      expect(await peers[0]!.next()).toEqual({ text: "there" });
      peers[0]!.text("back");
      expect(await caller.next()).toEqual({ text: "back" });
      caller.socket.destroy();
    }
    await secure.close();
    expect(tunnel.asked).toHaveLength(2);
  });

  it("that refuses a WebSocket is a 502", async () => {
    tunnel.mode = "refuse";
    const answer = await proxy.call("GET /", { fields: handshake(named()) });
    expectError(answer, { status: 502, names: `the upstream proxy ${tunnel.host}` });
  });

  it("has its credentials in no log, metric, start line and list of processes", async () => {
    tunnel.mode = "login";
    await proxy.call("GET /p", { fields: named() });
    const metrics = await proxy.call("GET /__proxy__/metrics");
    const shown = await proxy.call("GET /__proxy__/", { fields: { Accept: "text/html" } });
    const processes = await readFile(`/proc/${proxy.process.pid}/cmdline`, "utf8");
    expect(proxy.stderr()).toContain(`, upstream proxy ${tunnel.host}, which looks names up`);
    await waitFor(() => expect(proxy.stdout()).toContain("upstream_unauthorized"));
    for (const text of [proxy.stdout(), proxy.stderr(), metrics.text, shown.text, processes]) {
      expect(text).not.toMatch(SECRETS);
    }
  });
}

function describeStart(runtime: RuntimeName): void {
  describe("that can't be asked", () => {
    let upstream: Upstream;
    beforeAll(async () => void (upstream = await listen()));
    afterAll(() => upstream?.close());

    it("because nobody listens there, or its certificate is not trusted, is a 502 that names it", async () => {
      const host = `127.0.0.1:${await freePort()}`;
      const tunnel = await listenTunnel({ kind: "https", tls: OWN_TLS, name: "localhost" });
      const TARGETS = JSON.stringify({ "untrusted.test": { upstream: tunnel.address } });
      const settings = { UPSTREAM_PROXY: `socks5://${LOGIN}@${host}`, UPSTREAM_DNS: "remote", TARGETS };
      const told = `the upstream proxy ${tunnel.host}`;
      const proxy = await startProxy(runtime, settings);
      const unheard = await proxy.call("GET /p", { fields: { proxy_host: aliased(upstream) } });
      const refused = await proxy.call("GET /p", { fields: { proxy_host: "http://untrusted.test" } });
      await Promise.all([proxy.stop(), tunnel.close()]);
      const names = `the upstream proxy ${host}`;
      expectError(unheard, { status: 502, error: "connection_refused", names });
      expectError(refused, { status: 502, error: "tls_certificate_error", names: told });
      expect(proxy.stdout() + proxy.stderr() + unheard.text).not.toMatch(SECRETS);
      expect([tunnel.asked, upstream.requests]).toEqual([[], []]);
    });

    it.each(rowsOnce(runtime, [
      { about: "another scheme", settings: { UPSTREAM_PROXY: `ftp://${AT}` }, told: "expected an address" },
      { about: "a bad variable", settings: BAD, told: "HTTPS_PROXY can't be used" },
      {
        about: "a password in a flag",
        settings: {},
        flags: FLAGS,
        told: "expected it in the variable UPSTREAM_PROXY",
      },
    ]))("because of $about ends the start", async ({ settings, flags, told }) => {
      const { code, stdout, stderr } = await runToExit(runtime, { PORT: "0", ...settings }, flags);
      expect(code).toBe(1);
      expect(stderr).toContain(told);
      expect(stdout + stderr).not.toMatch(SECRETS);
    });
  });
}
