/**
 * Connections to https targets: which sessions they resume, and whole bodies both ways (RFC 8446 §2.2).
 * @module
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer, type TlsOptions, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { pinFor } from "../support/faulty-targets.ts";
import { dial, digestOf, drain, flood } from "../support/flood.ts";
import { mint } from "../support/mint.ts";
import { PUBLIC_ADDRESS } from "../support/through.ts";
import { listenTunnel, type TunnelProxy } from "../support/tunnel-proxy.ts";
import type { Proxy, RuntimeName, Upstream } from "../support/topic.ts";
import { cut, expectedOf, expectError, listen, open } from "../support/topic.ts";
import { outcomeOf, reply, request, RESUMED } from "../support/topic.ts";
import { settled, startProxy, waitFor } from "../support/topic.ts";
import { describeFailedHandshakes } from "./failed-handshakes.ts";

const MEBIBYTE = 1_048_576;
/** More than the kernel holds on all sides of the proxy and of a tunnel. */
const LARGE = 80_000_000;
const KERNEL_BYTES = 72 * MEBIBYTE;
const LINE = "HTTP/1.1 200 OK\r\n\r\n";

type Target = TlsOptions & { cert: string; key: string };

const AUTHORITY = mint({ subject: "usual authority", isAuthority: true });
const OTHER = mint({ subject: "authority of an entry", isAuthority: true });
const NAMES = ["localhost", "127.0.0.1", PUBLIC_ADDRESS];
const USUAL = mint({ names: NAMES, issuer: AUTHORITY });
const OWN = mint({ names: NAMES, issuer: OTHER });
const CLIENT = mint({ subject: "client", issuer: OTHER });

const VERSIONS = [
  { version: "TLS 1.2", limits: { maxVersion: "TLSv1.2" } },
  { version: "TLS 1.3", limits: { minVersion: "TLSv1.3" } },
] as const satisfies { version: string; limits: TlsOptions }[];

const ASKING = { ...USUAL, ca: OTHER.cert, requestCert: true, rejectUnauthorized: true };
const ENTRIES = [
  { about: "no entry", tls: USUAL, entry: undefined, resumes: true },
  { about: "ca", tls: OWN, entry: { ca: OTHER.cert }, resumes: true },
  { about: "insecure", tls: OWN, entry: { insecure: true }, resumes: true },
  { about: "cert", tls: ASKING, entry: { cert: CLIENT.cert, key: CLIENT.key }, resumes: true },
  { about: "pin", tls: USUAL, entry: { pin: pinFor(USUAL) }, resumes: false },
  { about: "minVersion", tls: USUAL, entry: { minVersion: "TLSv1.2" }, resumes: true },
];

const WAYS = [{ way: "directly", host: "localhost" }, { way: "inside a tunnel", host: PUBLIC_ADDRESS }];

const ROWS = WAYS.flatMap((way) => ENTRIES.map((entry) => ({ ...way, ...entry })));

export function describeSecureTargets(runtime: RuntimeName): void {
  describe("https targets", () => {
    let folder: string;
    let tunnel: TunnelProxy;
    /** One for all: what differs is the entry of a target in its table. */
    let proxy: Proxy;
    /** The targets with an entry, by what it is for. */
    const entered = new Map<string, { host: string; target: Upstream; entry: object }>();
    let target: Upstream;
    /** Of each connection, whether it has resumed a session. */
    let resumed: boolean[];

    async function enter(key: string, host: string, tls: Target, entry: object = {}) {
      const upstream = host === PUBLIC_ADDRESS && { upstream: tunnel.address };
      entered.set(key, { host, target: await listen({ tls }), entry: { ...entry, ...upstream } });
    }

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "fetchvia-"));
      await writeFile(join(folder, "usual.pem"), AUTHORITY.cert);
      tunnel = await listenTunnel({ kind: "http" });
      await Promise.all(
        VERSIONS.flatMap(({ version, limits }) =>
          ROWS.map(({ way, host, about, tls, entry }) =>
            enter(`${version} ${way} ${about}`, host, { ...tls, ...limits }, entry)
          )
        ),
      );
      for (const { way, host } of WAYS) await enter(`large ${way}`, host, USUAL);
      const entries = [...entered.values()].filter(({ entry }) => Object.keys(entry).length > 0);
      const named = entries.map(({ host, target, entry }) => [`${host}:${target.port}`, entry]);
      const table = Object.fromEntries(named);
      const NODE_EXTRA_CA_CERTS = join(folder, "usual.pem");
      proxy = await startProxy(runtime, { NODE_EXTRA_CA_CERTS, TARGETS: JSON.stringify(table) });
    });
    beforeEach(() => (resumed = []));
    afterAll(async () => {
      await Promise.all([proxy.stop("SIGKILL"), tunnel.close()]);
      rmSync(folder, { recursive: true });
    });

    /** Lets the target close each connection after its answer. */
    function serve(next: Upstream): void {
      target = next;
      onTestFinished(() => next.close());
      target.connected = (socket) => resumed.push((socket as TLSSocket).isSessionReused());
      target.answer = reply(200, { connection: "close" }, "ok");
    }
    /** Starts a target without an entry. */
    const start = async (tls: Target) => serve(await listen({ tls }));
    const call = (host: string, line = "GET /p", body?: Buffer) =>
      proxy.call(line, { fields: { proxy_host: `https://${host}:${target.port}` }, ...(body && { body }) });

    describe.each(VERSIONS)("by $version", ({ version, limits }) => {
      it.each(ROWS)(
        "are resumed as far as the way to trust them allows, $way with $about",
        async ({ way, host, about, resumes }) => {
          serve(entered.get(`${version} ${way} ${about}`)!.target);
          for (let times = 0; times < 3; times += 1) {
            expect(await call(host)).toMatchObject({ status: 200, text: "ok" });
          }
          const isResumed = expectedOf(RESUMED, runtime, about, resumes);
          expect(resumed).toEqual([false, isResumed, isResumed]);
        },
      );

      it("are not resumed under another name", async () => {
        await start({ ...USUAL, ...limits });
        await call("localhost");
        await call("127.0.0.1");
        expect(resumed).toEqual([false, false]);
      });
    });

    it("are asked for HTTP/1.1 by the name of the protocol", async () => {
      await start({ ...USUAL, ALPNProtocols: ["http/1.1"] });
      const protocols: unknown[] = [];
      target.connected = (socket) => protocols.push((socket as TLSSocket).alpnProtocol);
      // A target with a list refuses whoever names no protocol of it (RFC 7301 §3.2).
      expect(await call("localhost")).toMatchObject({ status: 200, text: "ok" });
      expect(protocols).toEqual(["http/1.1"]);
    });

    it("hear their name without its trailing dot", async () => {
      await start(USUAL);
      const names: unknown[] = [];
      target.connected = (socket) => names.push((socket as TLSSocket).servername);
      expect(await call("localhost.")).toMatchObject({ status: 200, text: "ok" });
      expect(names).toEqual(["localhost"]);
    });

    it("are refused once they show a certificate for another name, and not after that", async () => {
      await start(USUAL);
      const asked = [await call("localhost"), await call("localhost")];
      target.show(mint({ names: ["other.test"], issuer: AUTHORITY }));
      const refused = [await call("localhost"), await call("localhost")];
      target.show(USUAL);
      const statuses = [...asked, ...refused, await call("localhost")].map(({ status }) => status);
      expect(statuses).toEqual([200, 200, 502, 502, 200]);
      for (const answer of refused) expectError(answer, { status: 502, error: "tls_certificate_error" });
    });

    it("get and send whole bodies", async () => {
      await start(USUAL);
      target.answer = (request, socket) => reply(200, {}, request.body)(request, socket);
      const body = randomBytes(8 * MEBIBYTE);
      for (let times = 0; times < 2; times += 1) {
        const answer = await call("localhost", "POST /p", body);
        expect(answer.status).toBe(200);
        expect(Buffer.compare(answer.body, body)).toBe(0);
      }
      expect(resumed).toHaveLength(1);
    });

    it.each([100_000, MEBIBYTE])("end a body of %i bytes without a length by their end", async (size) => {
      await start(USUAL);
      target.answer = cut(`${LINE}${"x".repeat(size)}`);
      // Several, because an end that is lost is lost now and then.
      const answers = await Promise.all(Array.from({ length: 6 }, () => call("localhost")));
      const ends = answers.map((answer) => [outcomeOf(answer), answer.body.length]);
      expect(ends).toEqual(Array(6).fill([200, size]));
    });

    it.each(WAYS)("stop while their caller does not read, and go on with it, $way", async ({ way, host }) => {
      serve(entered.get(`large ${way}`)!.target);
      const sockets: Socket[] = [];
      target.answer = (request, socket) => {
        sockets.push(socket);
        return flood(LARGE)(request, socket);
      };
      const caller = await dial(proxy.port);
      const origin = `https://${host}:${target.port}`;
      caller.write(`GET /p HTTP/1.0\r\nhost: localhost\r\nproxy_host: ${origin}\r\n\r\n`);
      caller.pause();
      await waitFor(() => expect(sockets).toHaveLength(1));
      expect(await settled(() => sockets[0]!.bytesWritten)).toBeLessThan(KERNEL_BYTES);
      const drained = drain(caller, LARGE);
      caller.resume();
      expect((await drained).digest).toBe(digestOf(LARGE));
      caller.destroy();
    });

    it("are counted in the start line where nobody checks them", () => {
      const unchecked = [...entered.values()].filter(({ entry }) => "insecure" in entry).length;
      expect(proxy.stderr()).toContain(` 0 keys: WARNING, certificates of ${unchecked} of them `);
    });

    describeFailedHandshakes(() => proxy);

    it("cut a body without a length by a reset", async () => {
      await start(USUAL);
      const { server, sockets } = await listenAnswering();
      const { port } = server.address() as AddressInfo;
      const connection = await open(proxy.port);
      connection.write(request("GET", "/p", { Host: "localhost", proxy_host: `https://localhost:${port}` }));
      await connection.until("start");
      for (const socket of sockets) socket.resetAndDestroy();
      expect(outcomeOf(await connection.answer())).toBe("cut");
      connection.destroy();
      server.close();
    });
  });
}

/** A target that begins a body, and the sockets below TLS: a TLS socket of Node can't reset, it says goodbye first. */
async function listenAnswering(): Promise<{ server: Server; sockets: Socket[] }> {
  const sockets: Socket[] = [];
  const answering = createTlsServer(USUAL, (socket) => {
    socket.on("error", () => {});
    socket.on("data", () => socket.write(`${LINE}start`));
  });
  const server = createServer((socket) => {
    socket.on("error", () => {});
    sockets.push(socket);
    answering.emit("connection", socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, sockets };
}
