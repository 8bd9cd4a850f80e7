/**
 * Two hundred callers who send a byte a second, for minutes: whoever waited for them would be given up before.
 * @module
 */
import { afterEach, describe, expect, it } from "vitest";
import { type Crowd, gather } from "../support/crowd.ts";
import { type Pool, useUpstream } from "../support/topic.ts";

const CROWD = 200;

export function describeCrowd(pool: Pool): void {
  describe("two hundred callers who take their time", () => {
    const proxy = pool.with({ TIMEOUT_MS: "20000" });
    const upstream = useUpstream();
    let crowd: Crowd | undefined;
    afterEach(() => crowd?.leave());

    it.each([
      { about: "with the head", first: "G", byte: (index: number) => "ET /p HTTP/1.1\r\n"[index] ?? "x" },
      {
        about: "with the body, of a length",
        first: "POST /p HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\nproxy_host: {origin}\r\n\r\n",
        byte: () => "x",
      },
      {
        about: "with the body, in chunks",
        first:
          "POST /p HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nproxy_host: {origin}\r\n\r\n1\r\nx\r\n",
        byte: () => "1\r\nx\r\n",
      },
      {
        about: "with the body of an argument",
        first: "POST /__proxy__/fetch HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n",
        byte: () => " ",
      },
    ])("$about keep nobody else waiting", async ({ first, byte }) => {
      crowd = await gather(proxy.port, CROWD, first.replace("{origin}", upstream.origin), byte);
      await crowd.hasWritten(2);
      const fields = { proxy_host: upstream.origin };
      const answers = await Promise.all([
        ...["GET /", "GET /__proxy__/health", "GET /__proxy__/"].map((line) => proxy.call(line, { fields })),
        proxy.call("POST /p", { fields, body: "quick" }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(crowd.size).toBe(CROWD);
    });
  });
}
