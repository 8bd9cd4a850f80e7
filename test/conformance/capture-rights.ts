/**
 * Who may see and switch captures, how long it lasts, and how much it keeps.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import type { CaptureState } from "../../src/parts/capture/capture.ts";
import { mintToken } from "../../src/parts/tokens/mint.ts";
import { capture, missed } from "../support/captured.ts";
import type { Answer } from "../support/client.ts";
import { expectError } from "../support/expect.ts";
import type { Pool, Shared } from "../support/pool.ts";
import { useUpstream } from "../support/link.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { waitFor } from "../support/wait.ts";
import { rowsOf } from "../support/rows.ts";

const SCRIPT = { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty" };
const NAVIGATION = { "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" };
const KEY = "signing key";
const MANY = 36;

const BAD: { body: string; names: RegExp }[] = [
  { body: "", names: /the body is not a JSON object, expected one such as/ },
  { body: "[]", names: /the body is not a JSON object/ },
  { body: "{}", names: /mode is not a mode, expected off, console, heads or a size such as 64KiB/ },
  { body: '{"mode":"all"}', names: /mode is not a mode/ },
  { body: '{"mode":"17MiB"}', names: /at most 16MiB/ },
  {
    body: '{"mode":"heads","minutes":0}',
    names: /minutes is out of range, expected a whole number from 1 to 60/,
  },
  { body: '{"mode":"heads","minutes":61}', names: /minutes is out of range/ },
  { body: '{"mode":"heads","minutes":1.5}', names: /minutes is out of range/ },
  { body: '{"mode":"heads","minutes":"5"}', names: /minutes is out of range/ },
  { body: '{"mode":"heads","for":5}', names: /"for" is unknown, expected only mode and minutes/ },
];

const stateOf = (answer: Answer) => answer.json() as CaptureState;
const LOOK = "GET /__proxy__/capture";
const SWITCH = "POST /__proxy__/capture";
/** Of one proxy that is captured in several processes, for all tests of that. */
export const TWO = { WORKERS: "2", LOG: "json" };
/** All that can be read there. */
const READS = ["", "id=x", "id=x&decode=gzip", "id=x&decode=gzip&ticket=x", "body=x"];
const HEADS = JSON.stringify({ mode: "heads", minutes: 5 });

/** Declares the tests. */
export function describeCaptureRights(pool: Pool): void {
  const proxy = pool.with({ LOG: "json", HOSTS: "proxy.test" });
  const locked = pool.with({ LOG: "json", PROXY_TOKEN: "t0ken", SIGNING_KEY: KEY, CAPTURE: "heads" });
  const closed = pool.with({ PRIVATE_TARGETS: "false" });
  let upstream: Upstream;
  beforeEach(async () => {
    upstream = await listen();
    return () => upstream.close();
  });

  const ticketOf = async (by: Shared) => {
    const { text } = await by.call("GET /__proxy__/", { fields: { Accept: "text/html", ...NAVIGATION } });
    return /[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}/.exec(text)?.[0] ?? "";
  };

  describe("captures", () => {
    it.each(rowsOf(["about", "fields"], [
      ["a page of a target, by cookie", { ...SCRIPT, Cookie: "proxy_host=http://a.test" }],
      ["a page without the ticket", SCRIPT],
      ["a page with another ticket", { ...SCRIPT, "x-fetchvia-ticket": "x" }],
      ["a page with two tickets", { ...SCRIPT, "x-fetchvia-ticket": "x, y" }],
      ["a page on a label", { ...SCRIPT, Host: "h-a-test.w.localhost" }],
      ["a page of another site", { ...SCRIPT, "Sec-Fetch-Site": "cross-site", Origin: "https://a.test" }],
      ["a name that is not the proxy's", { Host: "evil.test" }],
      ["a user who follows a link", { ...NAVIGATION, "Sec-Fetch-Site": "cross-site" }],
    ]))("are not for $about", async ({ fields }) => {
      expectError(await proxy.call(LOOK, { fields }), { status: 403 });
      for (const query of READS) {
        expectError(await proxy.call(`${LOOK}?${query}`, { fields }), { status: 403 });
      }
      expectError(await proxy.call(SWITCH, { fields, body: HEADS }), { status: 403 });
      expectError(await proxy.call("DELETE /__proxy__/capture", { fields }), { status: 403 });
    });

    it("are for the console and programs on this machine", async () => {
      const ticket = await ticketOf(proxy);
      expect((await proxy.call(LOOK)).status).toBe(200);
      expect((await proxy.call(LOOK, { fields: { ...SCRIPT, "x-fetchvia-ticket": ticket } })).status)
        .toBe(200);
      expect((await proxy.call(`${LOOK}?ticket=${ticket}`, { fields: SCRIPT })).status).toBe(200);
    });

    it("are switched by a page with the field only: a link holds no right to change", async () => {
      const ticket = await ticketOf(proxy);
      const linked = await proxy.call(`${SWITCH}?ticket=${ticket}`, { fields: SCRIPT, body: HEADS });
      expectError(linked, { status: 403, names: "switch" });
      const fields = { ...SCRIPT, "x-fetchvia-ticket": ticket };
      expect((await proxy.call(SWITCH, { fields, body: HEADS })).status).toBe(200);
    });

    it("are not for callers far away, nor for those with a token of their own", async () => {
      for (const query of READS) expectError(await closed.call(`${LOOK}?${query}`), { status: 403 });
      const token = await mintToken({ id: "ci", expires: new Date(Date.now() + 60_000) }, KEY);
      for (const query of READS) {
        const line = `${LOOK}?${query}`;
        expectError(await locked.call(line, { fields: { proxy_token: token } }), { status: 403 });
        expect((await locked.call(line)).status).toBe(401);
      }
      expectError(await locked.call(SWITCH, { fields: { proxy_token: token }, body: HEADS }), {
        status: 403,
      });
      expect((await locked.call(LOOK)).status).toBe(401);
      expect((await locked.call(LOOK, { fields: { proxy_token: "t0ken" } })).status).toBe(200);
    });

    it("are shown by GET, and switched by POST and DELETE only", async () => {
      const answer = await proxy.call("PUT /__proxy__/capture");
      expectError(answer, { status: 405, names: /PUT here, expected GET, HEAD, POST, DELETE/ });
      expect(answer.header("allow")).toBe("GET, HEAD, POST, DELETE");
      expect((await proxy.call("HEAD /__proxy__/capture")).text).toBe("");
      expectError(await proxy.call(`${LOOK}?id=none`), { status: 404, names: "CAPTURE_BYTES" });
    });

    it.each(BAD)("are not switched by $body", async ({ body, names }) => {
      expectError(await proxy.call(SWITCH, { body }), { status: 400, names });
    });
  });

  describe("capture that is switched on", () => {
    it("begins, tells when it ends, and stops", async () => {
      const ask = () => proxy.call("GET /p", { fields: { proxy_host: upstream.origin } });
      await proxy.call(SWITCH, { body: JSON.stringify({ mode: "off" }) });
      await proxy.call("DELETE /__proxy__/capture");
      expect((await missed(proxy, ask)).status).toBe(404);
      const before = Date.now();
      const { bodyBytes, until = 0 } = stateOf(
        await proxy.call(SWITCH, { body: '{"mode":"1KiB","minutes":2}' }),
      );
      expect(bodyBytes).toBe(1_024);
      expect(until - 120_000).toBeGreaterThanOrEqual(before);
      expect(until - 120_000).toBeLessThanOrEqual(Date.now());
      expect((await capture(proxy, ask)).hops).toHaveLength(1);
      const off = stateOf(await proxy.call(SWITCH, { body: '{"mode":"off"}' }));
      expect(off).toMatchObject({ bodyBytes: null, requests: 1 });
      expect(off).not.toHaveProperty("until");
      expect((await missed(proxy, ask)).status).toBe(404);
      expect(stateOf(await proxy.call("DELETE /__proxy__/capture"))).toMatchObject({ requests: 0, bytes: 0 });
    });
  });
}

/** Declares the tests of the settings, and of several processes. */
export function describeCaptureProcesses(pool: Pool): void {
  describe("CAPTURE", () => {
    const proxy = pool.with(TWO);
    const upstream = useUpstream();

    it("is one for several processes: switched, read and counted together", async () => {
      await waitFor(() => expect(proxy.proxy.stderr()).toContain("listening"));
      const on = await proxy.call(SWITCH, { body: HEADS });
      expect(stateOf(on)).toMatchObject({ bodyBytes: 0, requests: 0, maxBytes: 67_108_864 });
      const ask = () => proxy.call("GET /p", { fields: { proxy_host: upstream.origin, cookie: "a=same" } });
      await Promise.all(Array.from({ length: MANY }, ask));
      const idsOf = () =>
        [...proxy.proxy.stdout().matchAll(/"id":"([0-9a-f]{12})"[^\n]*"selector"/g)].map(([, id]) => id);
      await waitFor(() => expect(idsOf()).toHaveLength(MANY));
      const read = await Promise.all(idsOf().map((id) => proxy.call(`${LOOK}?id=${id}`)));
      expect(new Set(read.map(({ status }) => status))).toEqual(new Set([200]));
      const masks = read.flatMap(({ text }) => text.match(/a=\*{3}\(4 bytes, [0-9a-f]{4}\)/g) ?? []);
      expect(new Set(masks).size).toBe(1);
      const states = await Promise.all(Array.from({ length: 8 }, () => proxy.call(LOOK)));
      expect(new Set(states.map((state) => stateOf(state).requests))).toEqual(new Set([MANY]));
      await proxy.call(SWITCH, { body: '{"mode":"off"}' });
      await Promise.all(Array.from({ length: MANY }, ask));
      expect(stateOf(await proxy.call(LOOK)).requests).toBe(MANY);
    });
  });
}
