/**
 * What a target says before its response reaches the caller at once (RFC 9110 §15.2).
 * @module
 */
import { describe, expect, it } from "vitest";
import { reply } from "../support/answers.ts";
import { argOf } from "../support/arg.ts";
import { open, request } from "../support/client.ts";
import { type Fields, Head } from "../support/http.ts";
import { useLink } from "../support/link.ts";
import type { Pool } from "../support/pool.ts";
import type { Handler } from "../support/upstream.ts";
import { labelOf } from "../support/ways.ts";
import { rowsOf } from "../support/rows.ts";
import { KEYED } from "./field-lines.ts";

const FINAL = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/** Says these, then nothing until `go`. */
function say(...interims: string[]): { answer: Handler; go: () => void } {
  let go = () => {};
  const gone = new Promise<void>((resolve) => (go = resolve));
  const answer: Handler = async (_request, socket) => {
    socket.write(interims.map((one) => `HTTP/1.1 ${one}\r\n\r\n`).join(""));
    await gone;
    socket.write(FINAL);
  };
  return { answer, go };
}

/** The heads of all answers, and what is behind them. */
function headsOf(raw: Buffer): { heads: Head[]; rest: string } {
  const parts = raw.toString("latin1").split("\r\n\r\n");
  return { heads: parts.slice(0, -1).map((text) => new Head(text)), rest: parts.at(-1) ?? "" };
}

/** Declares the tests. */
export function describeInterim(pool: Pool): void {
  describe("an interim answer", () => {
    const link = useLink(pool);

    /** Sends a request, reads what comes before the answer of the target, lets it answer, and reads on. */
    async function hear(
      bytes: Buffer,
      interims: string[],
      last: string,
    ): Promise<{ heads: Head[]; rest: string }> {
      const { answer, go } = say(...interims);
      link.upstream.answer = answer;
      const connection = await open(link.proxy.port);
      connection.write(bytes);
      await connection.until(last);
      go();
      await connection.until("\r\n\r\nok");
      connection.destroy();
      return headsOf(connection.raw);
    }

    it.each([
      { said: "102 Processing" },
      { said: "103 Early Hints\r\nLink: </a.css>; rel=preload; as=style" },
      { said: "104 Upload Resumption Supported\r\nLocation: /upload/1" },
      { said: "199 Own\r\nX-Own: a\r\nX-Own: b" },
    ])("comes before the target goes on: $said", async ({ said }) => {
      const [line = "", ...fields] = said.split("\r\n");
      const { heads, rest } = await hear(
        link.bytes("POST /p", { fields: { "Content-Length": "0" } }),
        [said],
        line,
      );
      expect(heads.map(({ line }) => line)).toEqual([`HTTP/1.1 ${line}`, "HTTP/1.1 200 OK"]);
      expect(heads[0]!.headers.map(([name, value]) => `${name}: ${value}`.toLowerCase()))
        .toEqual(fields.map((field) => field.toLowerCase()));
      expect(rest).toBe("ok");
    });

    it("comes in order with others, and twice", async () => {
      const said = ["103 A\r\nLink: </a>", "102 B", "103 A\r\nLink: </a>"];
      const { heads } = await hear(link.bytes("GET /p"), said, "102 B");
      expect(heads.map(({ line }) => line.slice(9))).toEqual(["103 A", "102 B", "103 A", "200 OK"]);
    });

    it("is not a 100 of the target, for a caller who waits for none", async () => {
      const { heads } = await hear(link.bytes("GET /p"), ["100 Continue", "103 A"], "103 A");
      expect(heads.map(({ line }) => line.slice(9))).toEqual(["103 A", "200 OK"]);
    });

    it("has no field of the connection, no body, and leads where the answer would", async () => {
      const { origin } = link.upstream;
      const said =
        `103 A\r\nConnection: x-hop\r\nX-Hop: 1\r\nKeep-Alive: a\r\nContent-Length: 5\r\nProxy-Status: a\r\n` +
        `Transfer-Encoding: chunked\r\nLocation: ${origin}/moved\r\nX-Own: 1`;
      const { heads } = await hear(link.bytes("GET /p"), [said], "103 A");
      expect(heads[0]!.headers).toEqual([["Location", "/moved"], ["X-Own", "1"]]);
    });

    it.each(rowsOf(["by", "ask"], [
      ["label", (origin: string) => ({ path: "/p", fields: { Host: `${labelOf(origin)}.w.localhost` } })],
      ["cookie", (origin: string) => ({ path: "/p", fields: { Cookie: `proxy_host=${origin}` } })],
      ["url, which follows redirects", (origin: string) => ({ path: `/__proxy__/?url=${origin}/p` })],
      ["arg", (origin: string) => ({ path: `/__proxy__/fetch?arg=${argOf({ url: `${origin}/p` })}` })],
    ]))("comes by $by", async ({ ask }) => {
      const { path, fields }: { path: string; fields?: Fields } = ask(link.upstream.origin);
      const { heads } = await hear(
        request("GET", path, { Host: "localhost", ...fields }),
        ["103 A"],
        "103 A",
      );
      expect(heads.map(({ line }) => line.slice(9))).toEqual(["103 A", "200 OK"]);
    });

    it("of each hop comes, where redirects are followed, and leads from there", async () => {
      link.upstream.answer = ({ target }, socket) => {
        socket.write("HTTP/1.1 103 A\r\nContent-Location: next\r\n\r\n");
        socket.write(
          target === "/a" ? "HTTP/1.1 302 B\r\nLocation: /b/c\r\nContent-Length: 0\r\n\r\n" : FINAL,
        );
      };
      const connection = await open(link.proxy.port);
      const { origin } = link.upstream;
      connection.write(request("GET", `/__proxy__/?url=${origin}/a`, { Host: "localhost" }));
      await connection.until("\r\n\r\nok");
      connection.destroy();
      const { heads } = headsOf(connection.raw);
      expect(heads.map((head) => head.header("content-location"))).toEqual([
        `http://localhost/__proxy__/?url=${encodeURIComponent(`${origin}/next`)}`,
        `http://localhost/__proxy__/?url=${encodeURIComponent(`${origin}/b/next`)}`,
        undefined,
      ]);
    });

    it("of a page that is sandboxed names nothing to fetch ahead", async () => {
      const path = `/__proxy__/?url=${encodeURIComponent(`${link.upstream.origin}/p`)}`;
      const bytes = request("POST", path, { Host: "localhost", "Content-Length": "0" });
      const said = "103 A\r\nLink: </__proxy__/?host=http://evil.test>; rel=preload\r\nX-Own: 1";
      const { heads } = await hear(bytes, [said], "103 A");
      expect(heads[0]!.headers).toEqual([["X-Own", "1"]]);
    });

    it("does not come to a caller of HTTP/1.0", async () => {
      link.upstream.answer = (_request, socket) => void socket.write(`HTTP/1.1 103 A\r\n\r\n${FINAL}`);
      const connection = await open(link.proxy.port);
      connection.write(
        Buffer.from(link.bytes("GET /p").toString("latin1").replace("HTTP/1.1", "HTTP/1.0"), "latin1"),
      );
      await connection.until("\r\n\r\nok");
      expect(connection.raw.toString()).not.toContain(" 103 ");
      connection.destroy();
    });

    it("belongs to its request, of several at once", async () => {
      link.upstream.answer = ({ target }, socket) =>
        void socket.write(`HTTP/1.1 103 A\r\nX-Of: ${target}\r\n\r\n${FINAL}`);
      const connection = await open(link.proxy.port);
      connection.write(Buffer.concat(["/1", "/2", "/3"].map((path) => link.bytes(`GET ${path}`))));
      await expect.poll(() => connection.raw.toString().split("\r\n\r\nok").length).toBe(4);
      expect([...connection.raw.toString().matchAll(/x-of: (.*)\r/gi)].map(([, of]) => of))
        .toEqual(["/1", "/2", "/3"]);
      connection.destroy();
    });

    it("comes a hundred times at most, and the answer behind", async () => {
      const many = `HTTP/1.1 103 A\r\nX-Long: ${"x".repeat(100)}\r\n\r\n`.repeat(2_000);
      link.upstream.answer = (_request, socket) => void socket.write(many + FINAL);
      const { connection } = await link.begin("GET /p");
      expect((await connection.answer()).text).toBe("ok");
      expect(headsOf(connection.raw).heads.filter(({ line }) => line === "HTTP/1.1 103 A")).toHaveLength(100);
      connection.destroy();
    });
  });

  describe("an interim answer to a request with a key", () => {
    const link = useLink(pool, KEYED);

    it("does not tell the key", async () => {
      link.upstream.answer = (request, socket) => {
        socket.write(`HTTP/1.1 103 A\r\nX-Seen: ${request.header("x-api-key")}\r\n\r\n`);
        void reply(200, {}, "ok")(request, socket);
      };
      const { connection } = await link.begin("GET /p");
      expect((await connection.answer()).status).toBe(200);
      expect(connection.raw.toString()).toContain("X-Seen: {{FIRST_KEY}}");
      expect(connection.raw.toString()).not.toContain(KEYED.FIRST_KEY);
      connection.destroy();
    });
  });
}
