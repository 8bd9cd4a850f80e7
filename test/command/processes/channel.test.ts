/** Questions and answers between two ends of a channel. */
import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { type Answers, type Channel, RpcPeer } from "../../../src/command/processes/channel.ts";

/** Two ends; what one sends, the other gets later, as a copy. */
function connect(one: Answers, other: Answers): [RpcPeer, RpcPeer] {
  const [left, right] = [new EventEmitter(), new EventEmitter()];
  const end = (here: EventEmitter, there: EventEmitter): Channel => ({
    send: (message) => void setImmediate(() => there.emit("message", structuredClone(message))),
    on: (event, listener) => here.on(event, listener),
  });
  return [new RpcPeer(end(left, right), one), new RpcPeer(end(right, left), other)];
}

describe("a line", () => {
  it("asks in both directions, each question has its own answer", async () => {
    const [one, other] = connect(
      { name: () => "one" },
      { double: (value: number) => value * 2, later: () => Promise.resolve("late") },
    );
    const answers = await Promise.all([
      one.ask("later"),
      one.ask("double", 2),
      one.ask("double", 3),
      other.ask("name"),
    ]);
    expect(answers).toEqual(["late", 4, 6, "one"]);
  });

  it("rejects where the other end fails, and tells nothing of why", async () => {
    const [one] = connect({}, {
      fail: () => {
        throw new Error("marker");
      },
      reject: () => Promise.reject(new Error("marker")),
    });
    await expect(one.ask("fail")).rejects.toThrow("has no answer");
    await expect(one.ask("reject")).rejects.toThrow("has no answer");
  });

  it("gives up what is open when it is closed", async () => {
    const [one] = connect({}, { never: () => new Promise(() => {}) });
    const asked = one.ask("never");
    one.close();
    await expect(asked).rejects.toThrow("is gone");
  });

  it("waits no longer than it is told to", async () => {
    const [one] = connect({}, { never: () => new Promise(() => {}), name: () => "other" });
    expect(await one.askWithin(1_000, "name")).toBe("other");
    await expect(one.askWithin(20, "never")).rejects.toThrow("takes too long");
  });

  it("gives up when the channel is closed already", async () => {
    const channel: Channel = {
      on: () => {},
      send: () => {
        throw new Error("ERR_IPC_CHANNEL_CLOSED");
      },
    };
    await expect(new RpcPeer(channel, {}).ask("name")).rejects.toThrow("is gone");
  });
});
