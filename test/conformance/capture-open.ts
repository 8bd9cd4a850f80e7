/**
 * Capture while a console is open: whose stream begins it, whose requests are kept, and when it ends.
 * @module
 */
import type { Har } from "har-format";
import { beforeEach, describe, expect, it } from "vitest";
import type { CaptureState } from "../../src/parts/capture/capture.ts";
import { reply } from "../support/answers.ts";
import { declareOnce } from "../support/capabilities.ts";
import { capture, missed, textOf } from "../support/captured.ts";
import { type Answer, open, request } from "../support/client.ts";
import type { Pool, Shared } from "../support/pool.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { TWO } from "./capture-rights.ts";
import { waitFor } from "../support/wait.ts";

type Fields = Readonly<Record<string, string>>;

const SCRIPT = { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty" };
const NAVIGATION = { "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" };
/** A ticket in the page. */
const TICKET = /[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}/;
const LOOK = "GET /__proxy__/capture";
const SWITCH = "POST /__proxy__/capture";
const MANY = 36;

const stateOf = (answer: Answer) => answer.json() as CaptureState;

const ticketOf = async (by: Pick<Shared, "call">) => {
  const { text } = await by.call("GET /__proxy__/", { fields: { Accept: "text/html", ...NAVIGATION } });
  return TICKET.exec(text)?.[0] ?? "";
};

/** Declares the tests. */
export function describeCaptureOpen(pool: Pool): void {
  let upstream: Upstream;
  beforeEach(async () => {
    upstream = await listen();
    return () => upstream.close();
  });

  describe("capture while a console is open", () => {
    const fresh = pool.with({ LOG: "json" });
    const streamOf = (ticket: string) => `/__proxy__/traffic?ticket=${ticket}&capture`;
    const OPENED = { Host: "localhost", ...SCRIPT };
    const ask = (fields = {}) => () =>
      fresh.call("POST /p", { fields: { proxy_host: upstream.origin, ...fields }, body: "sent" });

    /** Opens an event stream, and waits for what comes first. */
    const watch = async (
      path: string,
      fields: Fields = OPENED,
      first = "event: ring",
      by: { port: number } = fresh,
    ) => {
      const stream = await open(by.port);
      stream.write(request("GET", path, fields));
      await stream.until(first);
      return stream;
    };
    const isOff = () => waitFor(async () => expect(stateOf(await fresh.call(LOOK)).bodyBytes).toBeNull());

    it("keeps heads and bodies of callers on this machine, and ends with the last one", async () => {
      expect(stateOf(await fresh.call(LOOK))).toMatchObject({ bodyBytes: null, whileOpen: true });
      expect((await missed(fresh, ask())).status).toBe(404);
      const line = streamOf(await ticketOf(fresh));
      const [first, second] = [await watch(line), await watch(line)];
      first.destroy();
      upstream.answer = reply(200, {}, "answered");
      const { requestBody, responseBody } = await capture(fresh, ask());
      expect([textOf(requestBody), textOf(responseBody)]).toEqual(["sent", "answered"]);
      expect(stateOf(await fresh.call(LOOK)).bodyBytes).toBe(1_048_576);
      second.destroy();
      await isOff();
      expect((await missed(fresh, ask())).status).toBe(404);
      expect(stateOf(await fresh.call(LOOK)).requests).toBeGreaterThan(0);
    });

    it.each(["x-forwarded-for", "forwarded", "via", "x-real-ip"])(
      "leaves out requests that came through a front proxy, which %s tells",
      async (name) => {
        const stream = await watch(streamOf(await ticketOf(fresh)));
        expect((await missed(fresh, ask({ [name]: "127.0.0.1" }))).status).toBe(404);
        stream.destroy();
        await isOff();
      },
    );

    it("is not begun by a stream without the right to it, nor by one that may only watch", async () => {
      const ticket = await ticketOf(fresh);
      const line = streamOf(ticket);
      const streams = [
        await watch(line, { Host: "localhost" }),
        await watch(`/__proxy__/traffic?ticket=${ticket}`),
        await watch(line, { ...OPENED, "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate" }),
        await watch("/__proxy__/traffic?ticket=x&capture", OPENED, "403"),
        await watch(line, { ...OPENED, "X-Forwarded-For": "127.0.0.1" }, "403"),
        await watch(line, { ...OPENED, Host: "h-a-test.w.localhost" }, "403"),
        await watch(line, { ...OPENED, Host: "evil.test" }, "403"),
      ];
      expect(stateOf(await fresh.call(LOOK)).bodyBytes).toBeNull();
      expect((await missed(fresh, ask())).status).toBe(404);
      for (const stream of streams) stream.destroy();
    });

    it("is switched off for good, and on again", async () => {
      const stream = await watch(streamOf(await ticketOf(fresh)));
      expect(stateOf(await fresh.call(SWITCH, { body: '{"mode":"off"}' })).bodyBytes).toBeNull();
      expect((await missed(fresh, ask())).status).toBe(404);
      const on = stateOf(await fresh.call(SWITCH, { body: '{"mode":"console"}' }));
      expect(on).toMatchObject({ bodyBytes: 1_048_576, whileOpen: true });
      stream.destroy();
      await isOff();
    });

    declareOnce(pool.runtime, () => {
      const two = pool.with(TWO);

      it("is on in all processes while a console is open at one of them", async () => {
        await waitFor(() => expect(two.proxy.stderr()).toContain("listening"));
        await two.call(SWITCH, { body: '{"mode":"console"}' });
        const stream = await watch(streamOf(await ticketOf(two)), OPENED, "event: ring", two);
        const count = async () => stateOf(await two.call(LOOK)).requests;
        /** How many of many requests, which go to any of the processes, are kept. */
        const keeps = async () => {
          const before = await count();
          const ask = () => two.call("GET /p", { fields: { proxy_host: upstream.origin } });
          await Promise.all(Array.from({ length: MANY }, ask));
          return await count() - before;
        };
        await waitFor(async () => expect(await keeps()).toBe(MANY));
        // Each process counts its own connections to targets.
        await waitFor(async () => {
          await keeps();
          const { log } = (await two.call("GET /__proxy__/traffic.har")).json() as Har;
          const processes = new Set(
            log.entries.map(({ connection = "" }) => connection.replace(/\.\d+$/, "")),
          );
          expect([...processes].sort().join()).toBe("1,2");
        });
        stream.destroy();
        await waitFor(async () => expect(await keeps()).toBe(0));
      });
    });
  });
}
