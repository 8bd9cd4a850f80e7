/**
 * WebSockets of pages: how a page learns that its target has gone.
 * @module
 * @see RFC 6455 §7.1.5
 */
import { describe, expect, it, onTestFinished } from "vitest";
import { reply } from "../support/answers.ts";
import { listen } from "../support/upstream.ts";
import { Acceptor } from "../support/websocket.ts";
import type { Peer } from "../support/websocket-peer.ts";
import { enter, type Stage, WAYS } from "./stage.ts";

/** How a target ends a WebSocket, and what its page hears: messages, the code, and whether that was clean. */
const ENDS: { about: string; end: (peer: Peer) => void; told: unknown[] }[] = [
  { about: "drops it", end: ({ socket }) => void socket.end(), told: [1006, false] },
  {
    about: "drops it behind a message",
    end(peer) {
      peer.text("last");
      peer.socket.end();
    },
    told: ["last", 1006, false],
  },
  { about: "resets it", end: ({ socket }) => void socket.resetAndDestroy(), told: [1006, false] },
  { about: "closes it", end: (peer) => void peer.close(4001, "own"), told: [4001, true] },
];
const CASES = WAYS.flatMap((way) => ENDS.map((end) => ({ ...way, ...end })));

/** Declares the tests. */
export function describeSockets(stage: Stage): void {
  describe("a page's WebSocket", () => {
    it.each(CASES)("tells what its target did where that $about, by $way", async ({ way, end, told }) => {
      const target = await listen();
      onTestFinished(() => target.close());
      target.answer = reply(200, { "Content-Type": "text/html" }, "<!doctype html><title>own</title>");
      const page = await enter(await stage.open(), target.origin, way, stage.plain);
      const joined = new Acceptor(target).next();
      const seen = page.evaluate(() =>
        new Promise((resolve) => {
          const socket = new WebSocket(`ws://${location.host}/live`);
          const heard: unknown[] = [];
          socket.onmessage = ({ data }) => heard.push(data);
          socket.onclose = ({ code, wasClean }) => resolve([...heard, code, wasClean]);
          socket.onopen = () => socket.send("hello");
        })
      );
      const peer = await joined;
      expect(await peer.next()).toMatchObject({ text: "hello" });
      end(peer);
      expect(await seen).toEqual(told);
    });
  });
}
