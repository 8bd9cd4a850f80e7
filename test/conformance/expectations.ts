/**
 * A caller that waits for a 100: the target is asked, and what it says comes first (RFC 9110 §10.1.1).
 * @module
 */
import { describe, expect, it } from "vitest";
import { raw } from "../support/answers.ts";
import { open, request } from "../support/client.ts";
import { NOWHERE } from "../support/nowhere.ts";
import { seen, useLink, whole } from "../support/link.ts";
import type { Pool } from "../support/pool.ts";

const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
const LENGTH = { fields: { "Content-Length": "5" }, body: "hello" };
const BODIES = [
  { ...LENGTH, name: "a body of a length", asks: "100-continue" },
  { ...LENGTH, name: "a body that it expects something else of, too", asks: "x=y, 100-Continue" },
  {
    name: "a body in chunks",
    fields: { "Transfer-Encoding": "chunked" },
    body: "5\r\nhello\r\n0\r\n\r\n",
    asks: "100-continue",
  },
];
const LARGE = { "Content-Length": "5000000", Expect: "100-continue" };

/** Declares the tests. */
export function describeExpectations(pool: Pool): void {
  describe("a caller that waits for a 100", () => {
    const link = useLink(pool);

    it.each(BODIES)("hears that of the target, before $name", async ({ fields, body, asks }) => {
      const { connection, received, socket } = await link.hold("POST /p", {
        fields: { ...fields, Expect: asks },
      });
      expect(received.header("expect")).toBe("100-continue");
      expect(connection.raw.toString()).toBe("");
      socket.write(CONTINUE);
      await connection.until(CONTINUE);
      connection.write(body);
      await expect.poll(() => received.body.toString()).toBe("hello");
      socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok");
      expect(seen(await connection.answer())).toEqual(whole(200, "ok"));
      expect(connection.raw.toString().split("100 Continue")).toHaveLength(2);
      connection.destroy();
    });

    it.each([
      { status: "401 Unauthorized", fields: "WWW-Authenticate: Bearer\r\n" },
      { status: "413 Content Too Large", fields: "" },
      { status: "417 Expectation Failed", fields: "" },
      { status: "307 Temporary Redirect", fields: "Location: /elsewhere\r\n" },
      { status: "200 OK", fields: "" },
    ])("hears $status in its place, and the connection ends behind it", async ({ status, fields }) => {
      const { connection, received, socket } = await link.hold("PUT /p", { fields: LARGE });
      socket.write(`HTTP/1.1 ${status}\r\n${fields}Content-Length: 2\r\n\r\nno`);
      const answer = await connection.answer();
      expect([`${answer.status}`, answer.text, answer.header("connection")])
        .toEqual([status.slice(0, 3), "no", "close"]);
      expect(connection.raw.toString()).not.toContain("100 Continue");
      await link.end(received);
      expect(received.body).toHaveLength(0);
      // What comes behind it is neither a body nor a request.
      connection.write(link.bytes("GET /next"));
      expect([(await connection.answer()).status, link.upstream.requests.length]).toEqual([0, 1]);
      connection.destroy();
    });

    it("hears what it is told before, too", async () => {
      const { connection, socket } = await link.hold("PUT /p", { fields: LARGE });
      socket.write("HTTP/1.1 103 A\r\nX-A: 1\r\n\r\n");
      await connection.until("HTTP/1.1 103 A");
      socket.write("HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n");
      expect((await connection.answer()).status).toBe(413);
      connection.destroy();
    });

    it("is asked for its body where the target says nothing", async () => {
      const { connection, received } = await link.hold("POST /p", {
        fields: { "Content-Length": "5", Expect: "100-continue" },
      });
      await connection.until(CONTINUE);
      connection.write("hello");
      await expect.poll(() => received.body.toString()).toBe("hello");
      connection.destroy();
    });

    it.each([{ version: "HTTP/1.0", asked: undefined }, { version: "HTTP/1.1", asked: "100-continue" }])(
      "goes to a target that answered by $version with Expect: $asked",
      async ({ version, asked }) => {
        link.upstream.answer = raw(`${version} 200 OK\r\nContent-Length: 2\r\n\r\nok`);
        expect((await link.call("GET /p")).text).toBe("ok");
        const { connection, received } = await link.begin("POST /p", {
          fields: { "Content-Length": "5", Expect: "100-continue" },
        });
        expect(received.header("expect")).toBe(asked);
        connection.write("hello");
        expect((await connection.answer()).text).toBe("ok");
        connection.destroy();
      },
    );

    it("need not wait: a body that comes all the same goes on at once", async () => {
      const { connection, received, socket } = await link.hold("POST /p", {
        fields: { "Content-Length": "5", Expect: "100-continue" },
      });
      connection.write("hello");
      await expect.poll(() => received.body.toString()).toBe("hello");
      socket.write("HTTP/1.1 204 No Content\r\n\r\n");
      expect((await connection.answer()).status).toBe(204);
      expect(connection.raw.toString()).not.toContain("100 Continue");
      connection.destroy();
    });

    it("that leaves takes the target along", async () => {
      const { connection, received } = await link.hold("PUT /p", { fields: LARGE });
      connection.destroy();
      await link.end(received);
      expect(received.body).toHaveLength(0);
    });

    it("is asked by the proxy where that reads the body itself", async () => {
      const connection = await open(link.proxy.port);
      const body = JSON.stringify({ url: `${link.upstream.origin}/p` });
      const fields = { Host: "localhost", "Content-Length": String(body.length), Expect: "100-continue" };
      connection.write(request("POST", "/__proxy__/fetch", fields));
      await connection.until(CONTINUE);
      connection.write(body);
      expect((await connection.answer()).status).toBe(200);
      connection.destroy();
    });

    it("finds a target that is gone: the answer comes in place of a 100", async () => {
      const connection = await open(link.proxy.port);
      connection.write(
        request("PUT", "/p", { Host: "localhost", proxy_host: `http://${NOWHERE}`, ...LARGE }),
      );
      expect((await connection.answer()).status).toBe(502);
      expect(connection.raw.toString()).not.toContain("100 Continue");
      connection.destroy();
    });
  });
}
