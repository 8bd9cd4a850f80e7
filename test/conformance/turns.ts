/**
 * Callers who ask for much at once: the others get their turn meanwhile, and every request its answer, in order.
 * @module
 */
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { dial } from "../support/flood.ts";
import { open, type Pool, request } from "../support/topic.ts";

const HOST = { Host: "localhost" };
const REQUESTS = 30_000;
/** So many times another caller is answered meanwhile; where it has to wait for a read of requests, some times at most. */
const ENOUGH = 50;
const TEST_MS = 60_000;

const HEALTH = request("GET", "/__proxy__/health", HOST);
const UNKNOWN = request("GET", "/__proxy__/none", HOST);
const LAST = request("GET", "/__proxy__/health", { ...HOST, Connection: "close" });
/** In no simple order, so that a response in another's place is seen. */
const STATUSES = Array.from({ length: REQUESTS }, (_, index) => (index * index) % 7 < 3 ? 200 : 404);
const REQUESTED = STATUSES.map((status) => (status === 200 ? HEALTH : UNKNOWN));

export function describeTurns(pool: Pool): void {
  describe("a caller who asks for much at once", () => {
    const shared = pool.with({ LOG: "off" });

    it.each([
      { about: "in one piece", pieces: [Buffer.concat([...REQUESTED, LAST])] },
      { about: "piece by piece", pieces: [...REQUESTED, LAST] },
    ])("leaves the others their turn, and is answered in order, $about", async ({ pieces }) => {
      const other = await open(shared.port);
      const busy = await dial(shared.port);
      const chunks: Buffer[] = [];
      busy.on("data", (bytes: Buffer) => chunks.push(bytes));
      for (const piece of pieces) busy.write(piece);
      await once(busy, "data");
      let answered = 0;
      while (answered < ENOUGH && !busy.readableEnded) {
        other.write(HEALTH);
        await other.answer("GET", TEST_MS);
        answered += 1;
      }
      expect(answered).toBe(ENOUGH);
      await once(busy, "end");
      const lines = Buffer.concat(chunks).toString("latin1").matchAll(/HTTP\/1\.1 (\d{3}) /g);
      expect([...lines].map(([, status]) => Number(status))).toEqual([...STATUSES, 200]);
      other.destroy();
    }, TEST_MS);
  });
}
