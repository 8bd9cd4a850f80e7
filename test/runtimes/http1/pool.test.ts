/**
 * A target's connection in every state: whose it is, kept or fresh, what has been read, and what its end means.
 * @module
 * @see rules 17.3, 17.7, 17.8, 17.12
 */
import { describe, expect, it } from "vitest";
import type { Outgoing, Upstream } from "../../../src/exchange/runtime.ts";
import { Cancellation } from "../../../src/http/cancellation.ts";
import { Fields } from "../../../src/http/fields.ts";
import { CallerBonds } from "../../../src/runtimes/http1/bonds.ts";
import { HttpPool } from "../../../src/runtimes/http1/pool.ts";
import { A_TURN } from "../../../src/runtimes/http1/sender.ts";
import type { WireWatch } from "../../../src/runtimes/http1/wire.ts";
import { NotedWire } from "../../support/caller-wire.ts";

const WHOLE = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
const LOGIN = "HTTP/1.1 401 No\r\nWWW-Authenticate: NTLM\r\nContent-Length: 0\r\n\r\n";
const RESET = Object.assign(new Error("reset"), { code: "ECONNRESET" });

/** A pool, and the target's side of each of its connections. */
function stage() {
  const targets: { wire: NotedWire; watch: WireWatch; say(text: string): void }[] = [];
  const pool = new HttpPool(A_TURN, (_options, _isSecure, watch) => {
    const wire = new NotedWire();
    targets.push({ wire, watch, say: (text) => watch.onBytes(Buffer.from(text)) });
    queueMicrotask(() => watch.onOpen());
    return wire;
  });
  /** Sends a request, and waits until it stands on the last connection. */
  async function begin(parts: Partial<Outgoing> = {}) {
    const answer = pool.send({
      method: "GET",
      origin: new URL("http://127.0.0.1:1"),
      path: "/p",
      headers: new Fields([["host", "127.0.0.1:1"]]),
      body: null,
      addresses: ["127.0.0.1"],
      signal: new Cancellation(),
      ...parts,
    });
    const outcome = answer.then(
      ({ status }: Upstream) => status,
      (failure: { code?: string }) => failure.code,
    );
    await Promise.resolve();
    return { outcome };
  }
  /** One whole exchange on a connection of its own. */
  async function exchange(text: string, parts?: Partial<Outgoing>): Promise<void> {
    const { outcome } = await begin(parts);
    targets.at(-1)!.say(text);
    await outcome;
  }
  return { targets, begin, exchange };
}

/** How a connection came to be the one of a request. */
const BEFORE: Record<string, (staged: ReturnType<typeof stage>, bonds: CallerBonds) => Promise<void>> = {
  fresh: () => Promise.resolve(),
  kept: ({ exchange }) => exchange(WHOLE),
  bound: ({ exchange }, bonds) => exchange(LOGIN, { bonds }),
};
const BYTES = Buffer.from("hello");
const UPLOAD = { body: BYTES, headers: new Fields([["host", "127.0.0.1:1"], ["content-length", "5"]]) };

describe("a connection that ends", () => {
  it.each(
    ["GET", "HEAD", "OPTIONS", "POST", "DELETE", "upload of GET"].flatMap((asked) =>
      Object.keys(BEFORE).flatMap((held) =>
        [{ read: [], end: undefined }, { read: [], end: RESET }, { read: ["HTTP/1.1 2"], end: undefined }]
          .map(
            (how) => {
              const isAgain = held !== "fresh" && how.read.length === 0 &&
                ["GET", "HEAD", "OPTIONS"].includes(asked);
              return { asked, held, ...how, tries: isAgain ? 2 : 1, outcome: isAgain ? 200 : "ECONNRESET" };
            },
          )
      )
    ),
  )(
    "$held, at a $asked after '$read': $tries of two tries, $outcome",
    async ({ asked, held, read, end, ...is }) => {
      const staged = stage();
      const bonds = new CallerBonds();
      await BEFORE[held]!(staged, bonds);
      const [method = ""] = asked.split(" ").reverse();
      const { outcome } = await staged.begin({ method, bonds, ...(asked.startsWith("upload") && UPLOAD) });
      const first = staged.targets.length;
      const target = staged.targets.at(-1)!;
      for (const text of read) target.say(text);
      target.watch.onClose(end);
      await Promise.resolve();
      expect(staged.targets.length - first + 1).toBe(is.tries);
      for (const { say } of staged.targets.slice(first)) say(WHOLE);
      expect(await outcome).toBe(is.outcome);
    },
  );

  it("goes out twice, never three times", async () => {
    const { targets, begin, exchange } = stage();
    await exchange(WHOLE);
    const { outcome } = await begin();
    targets[0]!.watch.onClose();
    await Promise.resolve();
    targets[1]!.watch.onClose();
    expect([await outcome, targets.length]).toEqual(["ECONNRESET", 2]);
  });

  it("twice without a word: none is kept any more", async () => {
    const { targets, begin, exchange } = stage();
    for (const known of [1, 2]) {
      await exchange(WHOLE);
      targets[known - 1]!.watch.onClose();
    }
    await exchange(WHOLE);
    expect(targets[2]!.wire.isDestroyed).toBe(true);
    const { outcome } = await begin({ method: "POST" });
    targets[3]!.say(WHOLE);
    expect([await outcome, targets.length]).toEqual([200, 4]);
  });
});

describe("a connection that is idle", () => {
  it.each([
    { held: "kept", whose: "the next one's", used: 1 },
    { held: "bound", whose: "nobody else's", used: 2 },
  ])("and was $held is $whose", async ({ held, used }) => {
    const staged = stage();
    await BEFORE[held]!(staged, new CallerBonds());
    const { outcome } = await staged.begin({ bonds: new CallerBonds() });
    staged.targets.at(-1)!.say(WHOLE);
    expect([await outcome, staged.targets.length]).toEqual([200, used]);
  });
});

describe("a target of HTTP/1.0", () => {
  const continuation = { isAwaited: true, onBody: undefined };

  it.each([
    { versions: ["1.1"], asks: true },
    { versions: ["1.0"], asks: false },
    { versions: ["1.0", "1.1"], asks: true },
  ])("after $versions is asked whether it wants a body: $asks", async ({ versions, asks }) => {
    const { targets, begin, exchange } = stage();
    for (const version of versions) await exchange(`HTTP/${version} 200 OK\r\nContent-Length: 0\r\n\r\n`);
    await begin({ ...UPLOAD, method: "POST", continuation });
    expect(targets.at(-1)!.wire.written.includes("expect: 100-continue")).toBe(asks);
  });
});
