/**
 * Targets that are tried and do not answer the attempt: the caller is told, and nothing is kept for them.
 * @module
 */
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { declareWith } from "../support/capabilities.ts";
import { type Deaf, listenDeaf } from "../support/deaf.ts";
import type { Pool } from "../support/pool.ts";
import { listen, type Upstream } from "../support/upstream.ts";

const LIMIT_MS = 400;
const CALLERS = 100;
/** What a runtime may open for itself meanwhile. */
const OWN = 10;

/** Listens at a port at which nobody listens at the loopback address of the other family: servers of other tests may. */
async function listenAlone(host: string): Promise<Upstream> {
  for (;;) {
    const upstream = await listen({ host });
    const other = connect(upstream.port, host === "::1" ? "127.0.0.1" : "::1");
    const isTaken = await once(other, "connect").then(() => true, () => false);
    other.destroy();
    if (!isTaken) return upstream;
    await upstream.close();
  }
}

export function describeConnecting(pool: Pool): void {
  declareWith(pool.runtime, "look-ups of names", () => {
    describe("a name below localhost", () => {
      const proxy = pool.with();

      it.each(
        ["127.0.0.1", "::1"].flatMap((host) => ["GET /p", "POST /p"].map((line) => ({ host, line }))),
      )("leads to $host where nothing else listens: $line", async ({ host, line }) => {
        const upstream = await listenAlone(host);
        const named = `app.localhost:${upstream.port}`;
        const answer = await proxy.call(line, { fields: { proxy_host: `http://${named}` } });
        expect([answer.status, upstream.requests.map((request) => request.header("host"))])
          .toEqual([200, [named]]);
        await upstream.close();
      });
    });
  });

  describe("a target that takes no connection", () => {
    const proxy = pool.with({ TIMEOUT_MS: String(LIMIT_MS) });

    async function ask(deaf: Deaf): Promise<number[]> {
      const fields = { proxy_host: deaf.origin };
      return (await Promise.all(
        Array.from({ length: CALLERS }, () => proxy.call("GET /p", { fields })),
      )).map(({ status }) => status);
    }

    const descriptors = async () => (await readdir(`/proc/${proxy.child.process.pid}/fd`)).length;

    it("is a 504, and costs no descriptors for long", async () => {
      const before = await descriptors();
      const deaf = await listenDeaf();
      const statuses = [...await ask(deaf), ...await ask(deaf)];
      expect(new Set(statuses)).toEqual(new Set([504]));
      // `Bun.connect` can't be given up: the first of them may be left.
      await expect.poll(descriptors).toBeLessThanOrEqual(before + CALLERS + OWN);
      // They are refused at their next attempt.
      deaf.close();
      await expect.poll(descriptors).toBeLessThanOrEqual(before + OWN);
    });
  });
}
