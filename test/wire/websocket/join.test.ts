/** Two sides of a WebSocket, joined: what passes, who waits for whom, and how it comes to an end. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { joinSides, type Side, type SideListener } from "../../../src/wire/websocket/join.ts";
import { OpenSockets } from "../../../src/wire/websocket/open-sockets.ts";
import { rowsOf } from "../../support/rows.ts";

const IDLE_MS = 4_000;

/** A side that writes down what is done to it. */
class FakeSide implements Side<string> {
  readonly carries = "messages";
  readonly done: string[] = [];
  hasRoom = true;
  hasClosed = false;
  unsentBytes = 0;
  takenBytes = 0;
  tell!: SideListener<string>;

  start(listener: SideListener<string>): void {
    this.tell = listener;
  }

  send(data: string): boolean {
    this.done.push(data);
    return this.hasRoom;
  }

  close(code: number | undefined, reason: string): void {
    if (this.hasClosed) return;
    this.hasClosed = true;
    this.done.push(`close ${code} ${reason}`.trimEnd());
  }

  end = () => void this.done.push("end");
  pause = () => void this.done.push("pause");
  resume = () => void this.done.push("resume");
  destroy(): void {
    this.done.push("destroy");
    this.tell.onEnd();
    this.tell.onGone();
  }
}

let caller: FakeSide;
let target: FakeSide;
let sockets: OpenSockets;
const watch = { onIn: vi.fn(), onOut: vi.fn(), onEnd: vi.fn() };

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** What was done to both since the last time, but for being read on. */
function done(): { caller: string[]; target: string[] } {
  const [byCaller, byTarget] = [caller, target].map((side) =>
    side.done.splice(0).filter((what) => what !== "resume")
  );
  return { caller: byCaller ?? [], target: byTarget ?? [] };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetAllMocks();
  caller = new FakeSide();
  target = new FakeSide();
  sockets = new OpenSockets(IDLE_MS);
  joinSides(caller, target, watch, sockets);
});
afterEach(() => vi.useRealTimers());

it.each(rowsOf(["who", "expected", "failure"], [
  ["caller" as const, { caller: ["destroy"], target: ["end"] }, undefined],
  ["target" as const, { caller: ["end"], target: ["destroy"] }, { code: "response_timeout" }],
]))(
  "a side that takes nothing is cut, and the other one is told: the $who",
  async ({ who, expected, failure }) => {
    const [side, other] = who === "caller" ? [caller, target] : [target, caller];
    side.unsentBytes = 7;
    await pass(IDLE_MS);
    expect(done()).toEqual({ caller: [], target: [] });
    await pass(IDLE_MS / 4);
    expect(done()).toEqual(expected);
    other.tell.onGone();
    expect(watch.onEnd.mock.calls).toEqual([[failure && expect.objectContaining(failure)]]);
  },
);

describe("joined sides", () => {
  it("give each other what comes, and count its bytes", () => {
    caller.tell.onData("a\u20ac");
    target.tell.onData("bc");
    expect(done()).toEqual({ caller: ["bc"], target: ["a\u20ac"] });
    expect([watch.onIn.mock.calls, watch.onOut.mock.calls]).toEqual([[[4]], [[2]]]);
  });

  it.each(["caller" as const, "target" as const])("wait for each other: a slow %s", (slow) => {
    const [from, to] = slow === "target" ? [caller, target] : [target, caller];
    to.hasRoom = false;
    from.tell.onData("a");
    expect(from.done).toEqual(["pause"]);
    to.tell.onDrain();
    expect(from.done).toEqual(["pause", "resume"]);
  });

  it.each(rowsOf(["about", "happen", "expected", "failure"], [
    ["a Close frame of the caller", () => caller.tell.onClose(4000, "bye"), {
      caller: [],
      target: ["close 4000 bye"],
    }, undefined],
    ["a Close frame of the target", () => target.tell.onClose(undefined, ""), {
      caller: ["close undefined"],
      target: [],
    }, undefined],
    ["a caller that is too fast", () => caller.tell.onFault(1013, "slow"), {
      caller: ["close 1013 slow"],
      target: ["close 1013"],
    }, undefined],
    ["a target that breaks the protocol", () => target.tell.onFault(1002, "broken"), {
      caller: ["end"],
      target: ["close 1002"],
    }, { code: "malformed_answer" }],
    ["a target whose message is too large", () => target.tell.onFault(1009, "large"), {
      caller: ["close 1009 large"],
      target: ["close 1009"],
    }, { code: "malformed_answer" }],
    ["a message of the target that floods its caller", () => caller.tell.onFlood(), {
      caller: ["close 1009 the message is too large"],
      target: ["close 1009"],
    }, { code: "malformed_answer" }],
    ["a message of the caller that floods its target", () => target.tell.onFlood(), {
      caller: ["close 1009 the message is too large"],
      target: ["close 1009"],
    }, undefined],
    [
      "a caller that is gone without a word",
      () => caller.tell.onEnd(),
      { caller: [], target: ["end"] },
      undefined,
    ],
    ["a target that ends without a word", () => target.tell.onEnd(), { caller: ["end"], target: [] }, {
      code: "ECONNRESET",
    }],
    [
      "a target that breaks off",
      () => target.tell.onEnd(Object.assign(new Error("no route"), { code: "EHOSTUNREACH" })),
      { caller: ["end"], target: [] },
      { code: "EHOSTUNREACH" },
    ],
    [
      "a stop of the proxy",
      () => void sockets.close(),
      { caller: ["close 1001"], target: ["close 1001"] },
      undefined,
    ],
    [
      "a stop of the proxy behind a Close frame of the caller",
      () => {
        caller.tell.onClose(4000, "bye");
        void sockets.close();
        target.tell.onData("last");
        target.tell.onClose(4000, "bye");
      },
      { caller: ["last", "close 4000 bye"], target: ["close 4000 bye"] },
      undefined,
    ],
    [
      "a stop of the proxy behind a Close frame of the target",
      () => {
        target.tell.onClose(4001, "");
        void sockets.close();
        caller.tell.onClose(4001, "");
      },
      { caller: ["close 4001"], target: ["close 4001"] },
      undefined,
    ],
  ]))("end with $about, each once, and are cut when they linger", ({ happen, expected, failure }) => {
    happen();
    expect(done()).toEqual(expected);
    vi.advanceTimersByTime(2_900);
    expect(done()).toEqual({ caller: [], target: [] });
    vi.advanceTimersByTime(27_200);
    expect(done().caller).toContain("destroy");
    expect(watch.onEnd).toHaveBeenCalledOnce();
    const [[told]] = watch.onEnd.mock.calls as [[unknown]];
    expect(told).toEqual(failure === undefined ? undefined : expect.objectContaining(failure));
  });

  it("are cut three seconds after the proxy stops, and it knows when they are gone", async () => {
    const closed = sockets.close();
    vi.advanceTimersByTime(3_100);
    await closed;
    expect([caller.done, target.done])
      .toEqual([expect.arrayContaining(["destroy"]), expect.arrayContaining(["destroy"])]);
  });

  it("leave no timer behind, and nothing for the log but their end", () => {
    caller.tell.onClose(1000, "");
    target.tell.onEnd();
    target.tell.onGone();
    caller.tell.onEnd();
    caller.tell.onGone();
    expect([vi.getTimerCount(), watch.onEnd.mock.calls]).toEqual([0, [[undefined]]]);
  });

  it("are told to go away when they are joined while the proxy stops", () => {
    void sockets.close();
    caller = new FakeSide();
    target = new FakeSide();
    joinSides(caller, target, watch, sockets);
    expect(done()).toEqual({ caller: ["close 1001"], target: ["close 1001"] });
  });
});
