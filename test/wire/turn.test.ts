/**
 * The end of a turn of the event loop: one moment for all, after what has arrived was read.
 * @module
 */
import { once } from "node:events";
import { connect } from "node:net";
import { expect, it, vi } from "vitest";
import { atTurnEnd, putOffTurnEnd, untilTurnEnd } from "../../src/wire/turn.ts";
import { Gate, raw } from "../support/answers.ts";
import { listen } from "../support/upstream.ts";

it("is one moment for all who wait in a turn, and another one in the next", async () => {
  const first = untilTurnEnd();
  expect(untilTurnEnd()).toBe(first);
  await first;
  expect(untilTurnEnd()).not.toBe(first);
});

it("comes when every connection has been read", async () => {
  const upstream = await listen();
  const gate = new Gate();
  upstream.answer = gate.hold(raw("HTTP/1.1 204 No Content\r\n\r\n"));
  const sockets = [1, 2, 3].map(() => connect(Number(new URL(upstream.origin).port), "127.0.0.1"));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const order: string[] = [];
  for (const socket of sockets) {
    socket.on("data", () => {
      order.push("read");
      void untilTurnEnd().then(() => order.push("end"));
    });
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  }
  await expect.poll(() => upstream.requests).toHaveLength(3);
  gate.open();
  await expect.poll(() => order).toEqual(["read", "read", "read", "end", "end", "end"]);
  for (const socket of sockets) socket.destroy();
  await upstream.close();
});

it("goes on in the order of the calls; who comes meanwhile waits for the next", async () => {
  const order: string[] = [];
  const waiting = (name: string, then = () => {}) => ({
    onTurnEnd() {
      order.push(name);
      then();
    },
  });
  const next = new Promise<void>((resolve) => {
    atTurnEnd(waiting("first", () => atTurnEnd(waiting("next", resolve))));
  });
  atTurnEnd(waiting("second"));
  const end = untilTurnEnd().then(() => order.push("promise"));
  expect(order).toEqual([]);
  await Promise.all([next, end]);
  expect(order).toEqual(["first", "second", "promise", "next"]);
});

it.each([
  { about: "is put off by a turn for each new connection", connections: 5, turns: 5, ms: 0 },
  { about: "is put off for all connections that come within 10 ms", connections: 200, turns: 200, ms: 0 },
  { about: "is put off by 10 ms at most, where turns are long", connections: 200, turns: 4, ms: 3 },
  { about: "is put off by one turn, where that takes 10 ms", connections: 200, turns: 1, ms: 100 },
  { about: "is put off no longer than connections come", connections: 0, turns: 0, ms: 0 },
])("$about", async ({ connections, turns, ms }) => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now += ms);
  const accepts = Array.from({ length: connections }, () => putOffTurnEnd);
  const nextTurn = () => new Promise<string>((resolve) => setImmediate(resolve, "turn"));
  accepts.pop()?.();
  const end = untilTurnEnd().then(() => "end");
  let passed = 0;
  for (; await Promise.race([end, nextTurn()]) === "turn"; passed += 1) accepts.pop()?.();
  vi.restoreAllMocks();
  expect(passed).toBe(turns);
});

it("comes in every other turn at least, where busy connections take 100 ms of each and a new one comes in each", async () => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now += 100);
  const ended = new Set<Promise<void>>();
  for (let turn = 0; turn < 40; turn += 1) {
    putOffTurnEnd();
    const end = untilTurnEnd();
    void end.then(() => ended.add(end));
    await new Promise((resolve) => setImmediate(resolve));
  }
  vi.restoreAllMocks();
  expect(ended.size).toBeGreaterThanOrEqual(19);
});
