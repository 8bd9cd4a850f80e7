/**
 * The proxy behind middleware that wraps the response, as `express-session` and `compression` do, in `node:http` and `node:http2`
 * of each runtime: fields stay whole, a body passes through the wrapping, and an event stream does not wait there.
 * @module
 */
import { once } from "node:events";
import { beforeEach, describe, expect, it } from "vitest";
import { reply } from "../support/answers.ts";
import { open } from "../support/client.ts";
import type { Header } from "../support/http.ts";
import { openSession } from "../support/http2-session.ts";
import { useMounted } from "../support/mounted.ts";
import type { ProgramRuntime } from "../support/package.ts";

const RUNTIMES: ProgramRuntime[] = ["node", "bun", "deno"];
const FIELDS: Header[] = [["Set-Cookie", "a=1"], ["Set-Cookie", "b=2"], ["X-A", "1"]];
const CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nSet-Cookie: a=1\r\nX-A: 1\r\n\r\n";

describe.each(RUNTIMES)("behind other middleware on %s", (runtime) => {
  const mounted = useMounted(runtime);
  beforeEach(() => {
    mounted.target.answer = reply(200, FIELDS, "hello");
  });

  /** Answers the first piece of a stream, and the rest once the caller has that. */
  function stream(): () => void {
    let goOn = () => {};
    mounted.target.answer = (_request, socket) => {
      socket.write(`${CHUNKED}3\r\none\r\n`);
      goOn = () => void socket.write("3\r\ntwo\r\n0\r\n\r\n");
    };
    return () => goOn();
  }

  it("and without any, the head of a stream does not wait for the body", async () => {
    let goOn = () => {};
    mounted.target.answer = (_request, socket) => {
      socket.write(CHUNKED);
      goOn = () => void socket.write("3\r\none\r\n0\r\n\r\n");
    };
    const connection = await open(mounted.program.http1);
    connection.write("GET /api HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await connection.until("\r\n\r\n");
    goOn();
    expect((await connection.answer()).text).toBe("one");
    connection.destroy();
  });

  describe("by HTTP/1.1", () => {
    async function ask() {
      const connection = await open(mounted.program.wrapped.http1);
      connection.write("GET /api HTTP/1.1\r\nHost: localhost\r\n\r\n");
      return connection;
    }

    it("keeps fields and lines", async () => {
      const connection = await ask();
      const { headers, text } = await connection.answer();
      connection.destroy();
      const seen = headers.filter(([name]) => /^(?:set-cookie|x-a)$/i.test(name)).map(([, value]) => value);
      expect([seen.sort(), text]).toEqual([["1", "a=1", "b=2", "own=1"], "HELLO"]);
    });

    it("passes a stream on at once", async () => {
      const goOn = stream();
      const connection = await ask();
      await connection.until("ONE");
      goOn();
      const { text } = await connection.answer();
      connection.destroy();
      expect(text).toBe("ONETWO");
    });
  });

  describe("by HTTP/2", () => {
    async function ask(onData: () => void) {
      const { session, end } = openSession(mounted.program.wrapped.http2);
      const asked = session.request({ ":path": "/api" });
      let text = "";
      asked.setEncoding("utf8").on("data", (chunk: string) => (text += chunk)).once("data", onData);
      const [fields] = await once(asked, "response") as [Record<string, unknown>];
      await once(asked, "end");
      end();
      return { cookies: fields["set-cookie"], given: fields["x-a"], text };
    }

    it("keeps fields and lines", async () =>
      expect(await ask(() => {})).toEqual({ cookies: ["a=1", "b=2", "own=1"], given: "1", text: "HELLO" }));

    it("passes a stream on at once", async () => {
      const goOn = stream();
      expect(await ask(goOn)).toEqual({ cookies: ["a=1", "own=1"], given: "1", text: "ONETWO" });
    });
  });
});
