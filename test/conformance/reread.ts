/**
 * SIGHUP: a renewed certificate serves new connections, and a bad one changes nothing.
 * @module
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { connect } from "node:tls";
import { afterAll, describe, expect, it } from "vitest";
import { chunked } from "../support/answers.ts";
import { open, request } from "../support/client.ts";
import { hold, holdsConnection, untilGone } from "../support/descriptors.ts";
import { mint, type Minted } from "../support/mint.ts";
import type { Pool } from "../support/pool.ts";
import { type Proxy, runToExit, SOON_MS } from "../support/proxy.ts";
import { listen } from "../support/upstream.ts";
import { Acceptor, join } from "../support/websocket.ts";
import { startTwo, untilGone as untilEnded, workersOf } from "../support/workers.ts";
import { waitFor } from "../support/wait.ts";

const NAMES = ["localhost", "127.0.0.1"];
const OLD = mint({ subject: "old", names: NAMES });
const NEW = mint({ subject: "new", names: NAMES, until: 30 });
// Each tells another end than the one before: the same line is not written twice within a second.
const NEWEST = mint({ subject: "newest", names: NAMES, until: 60 });
const LAST = mint({ subject: "last", names: NAMES, until: 90 });
const READ = /^fetchvia: read again: TLS_CERT and TLS_KEY, valid until .* GMT$/gm;

/** The name in the certificate that a new connection is shown. */
function subjectOf(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()!.subject);
      socket.destroy();
    });
    socket.once("error", reject);
  });
}

const countOf = (proxy: Proxy, line: RegExp) => proxy.stderr().match(line)?.length ?? 0;

/** Sends the signal, and waits for one more such line on stderr. */
async function hangUp(proxy: Proxy, line: RegExp, before: number = countOf(proxy, line)): Promise<void> {
  proxy.process.kill("SIGHUP");
  await waitFor(() => expect(countOf(proxy, line)).toBe(before + 1));
}

/** Declares the tests. */
export function describeReread(pool: Pool): void {
  describe("SIGHUP", () => {
    const folder = mkdtempSync(joinPath(tmpdir(), "fetchvia-renewed-"));
    afterAll(() => rmSync(folder, { recursive: true }));
    /** A certificate and its key in files of their own. */
    const place = (name: string) => {
      const settings = {
        TLS_CERT: joinPath(folder, `${name}.crt`),
        TLS_KEY: joinPath(folder, `${name}.key`),
      };
      const renew = (next: Partial<Minted>) => {
        if (next.cert !== undefined) writeFileSync(settings.TLS_CERT, next.cert);
        if (next.key !== undefined) writeFileSync(settings.TLS_KEY, next.key);
      };
      renew(OLD);
      return { settings, renew };
    };
    const { settings, renew } = place("one");

    describe("of one process", () => {
      const shared = pool.with({ LOG: "off", ...settings });
      const plain = pool.with();

      it("closes nothing where no file has changed, and keeps the certificate in force where a file is bad", async () => {
        const { child: proxy } = shared;
        const idle = await open(proxy.port, { tls: true });
        await hangUp(proxy, /^fetchvia: nothing is new since it was read$/gm);
        idle.write(request("GET", "/", { Host: "127.0.0.1" }));
        expect((await idle.answer()).status).toBe(200);
        idle.destroy();
        renew({ cert: "no certificate" });
        await hangUp(
          proxy,
          /^fetchvia: cannot read again: TLS_CERT is ".*", expected a readable PEM file with a certificate\. The old stays in force$/gm,
        );
        renew({ cert: NEW.cert });
        await hangUp(proxy, /^fetchvia: cannot read again: TLS_KEY is ".*", expected the PEM key of/gm);
        expect(await subjectOf(proxy.port)).toBe("CN=old");
        expect((await proxy.call("GET /", { tls: true })).status).toBe(200);
        renew(NEW);
        await hangUp(proxy, READ);
        expect(await subjectOf(proxy.port)).toBe("CN=new");
      });

      it("lets go in time of a caller who has not completed a handshake", async () => {
        const { child: proxy } = shared;
        const caller = await hold(proxy.port, "\x16\x03\x01");
        await waitFor(() =>
          expect(holdsConnection(proxy.process.pid!, proxy.port, caller.localPort!)).toBe(true)
        );
        renew(NEWEST);
        await hangUp(proxy, READ);
        await untilGone(proxy, caller);
      });

      it("reads the certificate again; what is on its way stays, and the port is no other proxy's", async () => {
        const { child: proxy } = shared;
        const [slow, sockets] = await Promise.all([listen(), listen()]);
        slow.answer = chunked(200, {}, ["one ", "two ", "three ", "four"], 300);
        const streaming = await open(proxy.port, { tls: true });
        streaming.write(request("GET", "/p", { Host: "127.0.0.1", proxy_host: slow.origin }));
        const acceptor = new Acceptor(sockets);
        const { caller } = await join(proxy.port, "/", { proxy_host: sockets.origin }, { tls: true });
        await streaming.until("one ");

        renew(LAST);
        await hangUp(proxy, READ);
        expect(await Promise.all(Array.from({ length: 8 }, () => subjectOf(proxy.port))))
          .toEqual(Array<string>(8).fill("CN=last"));
        expect((await proxy.call("GET /", { tls: true })).status).toBe(200);
        caller.text("still here");
        expect(await acceptor.peers[0]!.next()).toMatchObject({ text: "still here" });
        expect(await streaming.answer()).toMatchObject({ text: "one two three four", ended: "end" });

        renew(NEW);
        await hangUp(proxy, READ);
        expect(await subjectOf(proxy.port)).toBe("CN=new");
        const second = await runToExit(pool.runtime, { ...settings, PORT: String(proxy.port) });
        expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining("is in use") });
        const stopped = proxy.stop();
        expect(await caller.next()).toMatchObject({ closed: 1001 });
        caller.close(1001);
        const { code, took } = await stopped;
        expect([code, took < SOON_MS]).toEqual([0, true]);
        await Promise.all([slow.close(), sockets.close()]);
      });

      it("ends nothing where no file is set", async () => {
        await hangUp(
          plain.child,
          /^fetchvia: nothing is read again at SIGHUP: none of TLS_CERT, TARGETS, AUDIT and a file in REVOKED_TOKENS is set$/gm,
        );
        expect((await plain.call("GET /")).status).toBe(200);
      });
    });

    it("reaches every worker, whoever gets the signal; and they end with the first process, however it ends", async () => {
      const { settings, renew } = place("two");
      const proxy = await startTwo(pool, { LOG: "off", ...settings });
      renew(NEW);
      const workers = workersOf(proxy);
      // As a terminal or a service manager does, which knows all processes of the group.
      for (const pid of workers) process.kill(pid, "SIGHUP");
      await hangUp(proxy, READ, 0);
      expect(await Promise.all(Array.from({ length: 24 }, () => subjectOf(proxy.port))))
        .toEqual(Array<string>(24).fill("CN=new"));
      expect(workersOf(proxy)).toEqual(workers);
      await proxy.stop("SIGKILL");
      await untilEnded(workers);
    });
  });
}
