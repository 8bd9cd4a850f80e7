/**
 * Callers who are all busy at once: each gets its turn, and nobody waits for the targets of others.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { askAtOnce, listenQuick } from "../support/busy.ts";
import { type Pool, rowsOf, useLink } from "../support/topic.ts";

const CALLERS = 512;
/** Answers of each, on average. */
const MEAN = 40;
/** And before it is measured. */
const WARM = 8;
/** What the last of them has at least: those who come later in each turn stay behind, further on a machine that is busy. */
const LEAST = 4;
/** More than any runtime takes up at once. */
const HELD = 300;

/** Declares the test of many at once. */
export function describeShares(pool: Pool): void {
  describe("busy callers", () => {
    const link = useLink(pool);
    const quick = useQuick();

    it("each get their turn", async () => {
      const { port } = link.proxy;
      const request = Buffer.from(
        `GET /p HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nproxy_host: ${quick().origin}\r\n\r\n`,
      );
      // Until the code is warm, everything takes its time.
      await askAtOnce(port, request, CALLERS, CALLERS * WARM);
      const counts = await askAtOnce(port, request, CALLERS, CALLERS * MEAN);
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(LEAST);
    });
  });
}

/** Declares the tests of those who wait. */
export function describeBusyCallers(pool: Pool): void {
  describe("busy callers", () => {
    const link = useLink(pool);
    const quick = useQuick();

    it.each(rowsOf(["about", "sent"], [
      ["whose target is silent", "GET /silent HTTP/1.1\r\nHost: 127.0.0.1\r\nproxy_host: {silent}\r\n\r\n"],
      ["who have sent half a head", "GET / HTTP/1.1\r\nHo"],
    ]))("do not wait for those $about", async ({ sent }) => {
      link.upstream.answer = () => {};
      const bytes = sent.replace("{silent}", link.upstream.origin);
      const held = await Promise.all(Array.from({ length: HELD }, () => link.open()));
      for (const connection of held) connection.write(Buffer.from(bytes));
      const answer = await link.proxy.call("GET /p", { fields: { proxy_host: quick().origin } });
      for (const connection of held) connection.destroy();
      expect(answer.text).toBe("ok");
    });
  });
}

/** A target that answers at once. */
function useQuick(): () => Awaited<ReturnType<typeof listenQuick>> {
  let quick: Awaited<ReturnType<typeof listenQuick>>;
  beforeEach(async () => {
    quick = await listenQuick();
    return () => quick.close();
  });
  return () => quick;
}
