/**
 * What callers and targets write costs the proxy what its length asks, keys and capture or not: others are served meanwhile.
 * Costs are compared with those of letters, in the time that the proxy's process was given, never with a clock.
 * @module
 */
import { describe, expect, it } from "vitest";
import { leastOf, processorMs } from "../support/cost.ts";
import { frameOf, type Peer } from "../support/websocket-peer.ts";
import { KEYED } from "./keys.ts";
import { Acceptor, join, type Pool, raw, reply, request, send, useUpstream } from "../support/topic.ts";

/** A head may be so long, and a target repeat it. */
const LENGTH = 40_000;
/** Two megabytes of them. */
const CHUNKS = 340_000;
/** What a few requests cost anyway, compiling included. */
const NOISE_MS = 200;
/** What it costs anyway once it is compiled. */
const WARM_NOISE_MS = 50;
const PATIENT = { timeout: 120_000 };

const UNITS = ["\\", "%25", "\\u00", "%5c", "first/", ";"];

export function describeForeignTexts(pool: Pool): void {
  describe("a long text of a caller or a target", () => {
    const proxy = pool.with({ ...KEYED, CAPTURE: "heads" });
    const plain = pool.with({});
    const token = { proxy_token: KEYED.PROXY_TOKEN };
    const upstream = useUpstream();

    const inField = async (text: string) => {
      const fields = { ...token, proxy_host: upstream.origin, "X-A": `${text}x` };
      expect((await proxy.call("GET /p", { fields, timeout: 60_000 })).status).toBe(200);
    };
    const inLocation = async (text: string) => {
      upstream.answer = reply(302, { Location: `/${text}/` });
      const fields = { ...token, proxy_host: `http://localhost:${upstream.port}` };
      expect((await proxy.call("GET /p", { fields, timeout: 60_000 })).status).toBe(302);
    };

    it.each([
      ...UNITS.map((unit) => ({ where: "a field, while heads are kept", unit, send: inField })),
      ...UNITS.map((unit) => ({ where: "Location, of a target with a key", unit, send: inLocation })),
    ])("costs what letters cost: $unit in $where", PATIENT, async ({ unit, send }) => {
      const costOf = (one: string) =>
        processorMs(proxy.child.process.pid ?? 0, () => send(one.repeat(LENGTH / one.length)));
      const letters = await costOf("a");
      expect(((await costOf(unit)) + NOISE_MS) / (letters + NOISE_MS)).toBeLessThan(3);
    });

    const fromTarget = async (body: string) => {
      upstream.answer = raw(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body}`);
      const fields = { ...token, proxy_host: upstream.origin };
      expect((await proxy.call("GET /p", { fields })).ended).toBe("end");
    };
    const fromCaller = async (body: string) => {
      const fields = {
        Host: "localhost",
        ...token,
        proxy_host: upstream.origin,
        "Transfer-Encoding": "chunked",
      };
      expect((await send(proxy.port, request("POST", "/p", fields, body))).status).toBe(200);
    };

    it.each([
      { who: "a target", carry: fromTarget },
      { who: "a caller", carry: fromCaller },
    ])("in chunks of one byte costs little more than in one: of $who", PATIENT, async ({ carry }) => {
      const costOf = (body: string) =>
        processorMs(proxy.child.process.pid ?? 0, () => carry(`${body}0\r\n\r\n`));
      const whole = await costOf(`${(CHUNKS * 6).toString(16)}\r\n${"x".repeat(CHUNKS * 6)}\r\n`);
      expect(((await costOf("1\r\nx\r\n".repeat(CHUNKS))) + NOISE_MS) / (whole + NOISE_MS)).toBeLessThan(3);
    });

    it.each([
      { who: "a target", isOfCaller: false, isCaptured: false },
      { who: "a caller", isOfCaller: true, isCaptured: false },
      { who: "a target", isOfCaller: false, isCaptured: true },
      { who: "a caller", isOfCaller: true, isCaptured: true },
    ])(
      "in messages of no byte costs little more than in one: of $who, captured: $isCaptured",
      PATIENT,
      async ({ isOfCaller, isCaptured }) => {
        const { port, child } = isCaptured ? proxy : plain;
        const acceptor = new Acceptor(upstream);
        const { caller } = await join(port, "/", { ...token, proxy_host: upstream.origin });
        const ends = isOfCaller ? [caller, acceptor.peers[0]!] : [acceptor.peers[0]!, caller];
        const [from, to] = ends as [Peer, Peer];
        // The least of a few: in the first ones an engine compiles.
        const costOf = (frames: Buffer) =>
          leastOf(5, () =>
            processorMs(child.process.pid ?? 0, async () => {
              from.socket.write(frames);
              await new Promise<void>((resolve) => {
                let left = frames.length;
                to.socket.removeAllListeners("data").on(
                  "data",
                  ({ length }) => (left -= length) || resolve(),
                );
              });
            }));
        const frameBytes = frameOf(1, Buffer.alloc(0), true, isOfCaller);
        const whole = await costOf(frameOf(2, Buffer.alloc(CHUNKS * frameBytes.length), true, isOfCaller));
        const many = await costOf(Buffer.concat(Array(CHUNKS).fill(frameBytes)));
        expect((many + WARM_NOISE_MS) / (whole + WARM_NOISE_MS)).toBeLessThan(3);
        caller.socket.destroy();
      },
    );
  });
}
