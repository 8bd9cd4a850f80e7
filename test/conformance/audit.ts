/**
 * `AUDIT` of a process: where lines go, that none is lost or torn, and what happens where they can't be written.
 * @module
 */
import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync } from "node:fs";
import { readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { type Decision, readDecisions } from "../support/recorded.ts";
import { expectAll, sendAll } from "../support/in-turn.ts";
import { startTwo } from "../support/workers.ts";
import {
  Acceptor,
  ask,
  chunked,
  declareOnce,
  expectError,
  join,
  listen,
  open,
  type Pool,
} from "../support/topic.ts";
import { type Proxy, reply, routes, runToExit } from "../support/topic.ts";
import { type Selector, type Settings, startProxy, type Upstream, waitFor } from "../support/topic.ts";

/** Requests of each caller at least. */
const EACH = 10;

function readRecord(file: string): Decision[] {
  return readDecisions(readFileSync(file, "utf8").split("\n").slice(0, -1));
}

export function describeAudit(pool: Pool): void {
  describe("AUDIT", () => {
    const folder = mkdtempSync(joinPath(tmpdir(), "fetchvia-audit-"));
    afterAll(() => rmSync(folder, { recursive: true }));
    let count = 0;
    let file: string;
    let upstream: Upstream;
    beforeEach(async () => {
      count += 1;
      file = joinPath(folder, `${count}.jsonl`);
      upstream = await listen();
      return () => upstream.close();
    });
    const start = (settings: Settings = {}) =>
      startProxy(pool.runtime, { LOG: "json", AUDIT: file, ...settings });

    const TOLD = "fetchvia: read again: AUDIT, which is a new file\n";
    const WAYS = [
      { signal: "nothing", give: () => {}, told: "" },
      { signal: "SIGHUP", give: (proxy: Proxy) => void proxy.process.kill("SIGHUP"), told: TOLD },
    ];

    it("has a line before the target hears of a request, by whatever selector, and of each hop, and goes on in a new file after a rename", async () => {
      const proxy = await start();
      const ways: Selector[] = ["header", "cookie", "label", "url", "at", "arg"];
      for (const way of ways) {
        expect((await ask(proxy as never, way, upstream.origin, "GET /p?q=1")).status).toBe(200);
        expect(readRecord(file).at(-1))
          .toMatchObject({ selector: way, path: "/p", verdict: "allowed", scheme: "http" });
      }
      new Acceptor(upstream);
      const { caller } = await join(proxy.port, "/ws", { proxy_host: upstream.origin });
      caller.close();
      expect(readRecord(file).at(-1)).toMatchObject({ scheme: "ws", path: "/ws" });
      upstream.answer = routes({ "/a": reply(302, { Location: "http://169.254.169.254/b" }) });
      expectError(await ask(proxy as never, "url", upstream.origin, "GET /a"), { status: 403 });
      const [allowed, refused] = readRecord(file).slice(-2);
      expect([allowed, refused]).toMatchObject([
        { path: "/a", verdict: "allowed" },
        { path: "/b", verdict: "refused", rule: "address_prohibited", id: allowed!.id },
      ]);
      await waitFor(() => expect(proxy.stdout()).toContain(`"id":"${allowed!.id}"`));
      const stranger = await open(proxy.port);
      stranger.write("hello\r\n\r\n");
      expect((await stranger.answer()).status).toBe(400);
      expect(readRecord(file).at(-1)).toMatchObject({ method: "-", verdict: "refused", rule: "bad_request" });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      let heard: object[] = [];
      upstream.answer = (request, socket) => {
        heard = readRecord(file);
        return chunked(200, {}, ["one ", "two"], 10)(request, socket);
      };
      const answer = await proxy.call("POST /early", {
        fields: { proxy_host: upstream.origin },
        body: "hello",
      });
      expect(heard.at(-1)).toMatchObject({ path: "/early", verdict: "allowed" });
      expect([answer.text, upstream.requests.at(-1)?.body.toString()]).toEqual(["one two", "hello"]);
      upstream.answer = reply(200);
      const send = (path: string) => proxy.call(`GET ${path}`, { fields: { proxy_host: upstream.origin } });
      for (const { signal, give, told } of WAYS) {
        await send(`/before/${signal}`);
        renameSync(file, `${file}.${signal}`);
        give(proxy);
        await waitFor(() => expect(proxy.stderr()).toContain(told));
        await waitFor(async () => {
          await send(`/after/${signal}`);
          expect(readRecord(file).at(-1)).toMatchObject({ path: `/after/${signal}` });
        });
        expect(readRecord(`${file}.${signal}`).map(({ path }) => path)).toContain(`/before/${signal}`);
        expect(proxy.stderr().includes(TOLD)).toBe(told === TOLD);
      }
      await proxy.stop();
    });

    declareOnce(pool.runtime, () => {
      it("writes to stderr, behind a warning of GATE=report", async () => {
        const proxy = await start({ AUDIT: "stderr", GATE: "report" });
        await waitFor(() => expect(proxy.stderr()).toContain("fetchvia: WARNING, GATE is report: "));
        await proxy.call("GET /p", { fields: { proxy_host: upstream.origin } });
        await waitFor(() =>
          expect(proxy.stderr()).toMatch(
            /^\{"time":.*"path":"\/p","rule":"addresses","verdict":"allowed"\}$/m,
          )
        );
        await proxy.stop();
      });
    });

    it("is renamed under load, at SIGHUP and without, loses no line and keeps each caller's order, with several processes", async () => {
      const proxy = await startTwo(pool, { LOG: "off", AUDIT: file });
      const names = [...WAYS, ...WAYS].map((_, index) => `${file}.${index}`);
      let isOver = false;
      const sent = sendAll(proxy, upstream, (turn) => turn < EACH || !isOver);
      const untilWritten = () => waitFor(() => expect(statSync(file).size).toBeGreaterThan(0));
      for (const [index, name] of names.entries()) {
        await untilWritten();
        renameSync(file, name);
        WAYS[index % WAYS.length]!.give(proxy);
      }
      await untilWritten();
      isOver = true;
      const counts = await sent;
      expectAll([...names, file].flatMap(readRecord), counts);
      await proxy.stop();
    });

    it("refuses what would go unrecorded on a full disk, and nothing of its own", async () => {
      const proxy = await start({ AUDIT: "/dev/full" });
      const answer = await proxy.call("GET /p", { fields: { proxy_host: upstream.origin } });
      expectError(answer, { status: 503 });
      expect(answer.header("proxy-status")).toContain("error=proxy_internal_error");
      expect(answer.text).toContain("Make room where AUDIT writes, or add ,loose to AUDIT");
      const refused = await proxy.call("GET /p", { fields: { proxy_host: "http://169.254.169.254" } });
      expect(refused.status).toBe(503);
      expect((await proxy.call("GET /__proxy__/")).status).toBe(200);
      expect(upstream.requests).toEqual([]);
      expect(proxy.stderr()).toContain("fetchvia: AUDIT fails (ENOSPC): requests are refused\n");
      await waitFor(() => expect(proxy.stdout()).toContain('"error":"unrecorded","cause":["ENOSPC"]'));
      await proxy.stop();
    });

    it("writes to a pipe that something reads, and does not wait for a reader", async () => {
      execFileSync("mkfifo", [file]);
      const { code, stderr } = await runToExit(pool.runtime, { PORT: "0", AUDIT: file });
      expect([code, stderr]).toEqual([1, expect.stringContaining("or a pipe that something reads already")]);
      const read = text(spawn("cat", [file]).stdout);
      // Opening it ends as soon as the reader has it open.
      const held = await waitFor(() => openSync(file, constants.O_WRONLY | constants.O_NONBLOCK));
      const proxy = await start();
      closeSync(held);
      await proxy.call("GET /p", { fields: { proxy_host: upstream.origin } });
      await proxy.stop();
      expect(readDecisions((await read).split("\n").slice(0, -1))).toMatchObject([{ path: "/p" }]);
    });
  });
}
