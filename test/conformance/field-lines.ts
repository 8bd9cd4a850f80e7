/**
 * Field lines as they came: their letters, order and repetition, before the body and behind it.
 * @module
 * @see RFC 9110 §5.3, §6.5
 */
import { describe, expect, it } from "vitest";
import { raw, reply } from "../support/answers.ts";
import { open } from "../support/client.ts";
import type { Fields, Header } from "../support/http.ts";
import { useLink } from "../support/link.ts";
import type { Pool, Shared } from "../support/pool.ts";
import { Acceptor, join } from "../support/websocket.ts";

const LINES: Header[] = [
  ["X-Zeta", "1"],
  ["accept", "*/*"],
  ["SOAPAction", '"x"'],
  ["x-Zeta", "2"],
  ["User-Agent", "Own/1"],
  ["x_under", "3"],
  ["X-ZETA", "4"],
];
/** What only the proxy sets. */
const OWN =
  /^(?:host|cdn-loop|date|vary|content-length|transfer-encoding|connection|x-request-id|proxy_host)$/i;
/** Settings of a proxy with a key for its target. */
export const KEYED = {
  FIRST_KEY: "first/secret+1",
  TARGETS: JSON.stringify({
    "127.0.0.1": {
      set: { "X-API-Key": "{{FIRST_KEY}}", "x-zeta": "set" },
      answerSet: { "X-Set": "1" },
      answerRemove: ["x-gone"],
      paths: ["/"],
    },
  }),
};

const theirs = (lines: readonly Header[]) => lines.filter(([name]) => !OWN.test(name));

/** Declares the tests. */
export function describeFieldLines(pool: Pool): void {
  describe("field lines", () => {
    const link = useLink(pool);
    const keyed = pool.with(KEYED);

    it.each([
      { about: "once", times: 1 },
      { about: "twice with the same head", times: 3 },
    ])("go both ways in their letters and order: $about", async ({ times }) => {
      link.upstream.answer = reply(200, [...LINES, ["Set-Cookie", "a=1"], ["LOCATION", "/x"]], "ok");
      for (let time = 0; time < times; time += 1) {
        const answer = await link.call("GET /p", { fields: LINES });
        expect(theirs(link.upstream.requests[time]!.headers)).toEqual(LINES);
        expect(theirs(answer.headers)).toEqual([...LINES, ["Set-Cookie", "a=1"], ["LOCATION", "/x"]]);
      }
    });

    it("go on as they came where only ids and cookies differ", async () => {
      const cookies = ["a=1", "a=2", "b=3; a", "a=4", "proxy_auth=x", "a=5", "", "a=6"];
      const sent = cookies.map((cookie, at): Header[] => [
        ["X-Zeta", "1"],
        ["COOKIE", cookie],
        ["traceparent", `00-${at}-01`],
        ["x-zeta", "2"],
        ...at === 6 ? [["X-Last", "1"] as Header] : [],
      ]);
      // Another caller's requests have the same shape, and other values at each time.
      const turns = sent.map((lines, at) => [lines, sent.at(-1 - at)!]);
      const callers = [await link.open(), await link.open()];
      for (const [at, fields] of turns.flat().entries()) {
        callers[at % 2]!.write(link.bytes("GET /p", { fields }));
        expect((await callers[at % 2]!.answer()).status).toBe(200);
      }
      expect(link.upstream.requests.map(({ headers }) => theirs(headers))).toEqual(
        turns.flat().map((lines) => lines.filter(([, value]) => value !== "" && value !== "proxy_auth=x")),
      );
      for (const caller of callers) caller.destroy();
    });

    it("of a WebSocket's 101 keep their letters and order", async () => {
      const target = new Acceptor(link.upstream, { "x-Own": "1", "SEC-WebSocket-Protocol": "a" });
      const fields = { proxy_host: link.upstream.origin, "sec-WebSocket-protocol": "a", "X-Own": "2" };
      const { caller, head } = await join(link.proxy.port, "/p", fields);
      const isTheirs = (name: string) => /^(?:x-|sec-websocket-p)/i.test(name);
      const [came, went] = [head, target.request].map(({ headers }) =>
        headers.filter(([name]) => isTheirs(name))
      );
      expect([came, went]).toEqual([
        [["x-Own", "1"], ["SEC-WebSocket-Protocol", "a"]],
        [["sec-WebSocket-protocol", "a"], ["X-Own", "2"]],
      ]);
      caller.socket.destroy();
    });

    it("keep the place of a field that the proxy maps", async () => {
      const { port } = link.proxy;
      const fields: Header[] = [["A", "1"], ["ORIGIN", `http://127.0.0.1:${port}`], ["B", "2"]];
      await link.call("GET /p", { fields });
      const [received] = link.upstream.requests;
      expect(theirs(received!.headers)).toEqual([["A", "1"], ["ORIGIN", link.upstream.origin], ["B", "2"]]);
      expect(received!.headers.map(([name]) => name).slice(0, 2)).toEqual(["Host", "A"]);
    });

    it("have the letters of the table and of proxy_headers where these set them", async () => {
      link.upstream.answer = reply(200, { "X-SET": "0", "A": "1" }, "ok");
      const overrides = Buffer.from('{"X-Own-Field":"1"}').toString("base64url");
      const fields: Header[] = [["proxy_host", link.upstream.origin], ["X-Zeta", "1"], [
        "proxy_headers",
        overrides,
      ]];
      const answer = await keyed.call("GET /p", { fields });
      expect(theirs(link.upstream.requests[0]!.headers))
        .toEqual([["x-zeta", "set"], ["X-Own-Field", "1"], ["X-API-Key", "first/secret+1"]]);
      expect(theirs(answer.headers)).toContainEqual(["X-Set", "1"]);
    });
  });

  describe("trailers", () => {
    const link = useLink(pool);
    const keyed = pool.with(KEYED);
    const signed = pool.with({ SIGNING_KEY: "the key of the tests" });
    const chunked = (trailers: string[], fields: string[] = []) =>
      ["HTTP/1.1 200 OK", "Transfer-Encoding: chunked", ...fields, "", "2", "ok", "0", ...trailers, "", ""]
        .join("\r\n");

    const ask = (fields: Fields, proxy: Shared = link.proxy) =>
      proxy.call("GET /p", { fields: link.fields(fields) });

    /** Sends chunks with trailers, and waits for the answer. */
    async function upload(port: number, lines: string[], fields: Header[] = []) {
      const connection = await open(port);
      const body = ["2", "ok", "0", ...lines, "", ""].join("\r\n");
      connection.write(
        link.bytes("POST /p", { fields: [["Transfer-Encoding", "chunked"], ...fields], body }),
      );
      await connection.until("\r\n\r\n");
      connection.destroy();
      return link.upstream.requests[0]!;
    }

    it("of a response reach a caller that takes them", async () => {
      link.upstream.answer = raw(chunked(["X-Sum: a", "x-sum: b", "Server-Timing: c"], ["Trailer: X-Sum"]));
      const answer = await ask({ TE: "deflate, Trailers", Connection: "TE" });
      const [received] = link.upstream.requests;
      expect(theirs(received!.headers)).toEqual([["TE", "trailers"]]);
      expect(received!.header("connection")).toBe("TE");
      expect(answer.header("trailer")).toBe("X-Sum");
      expect([answer.text, answer.trailers])
        .toEqual(["ok", [["X-Sum", "a"], ["x-sum", "b"], ["Server-Timing", "c"]]]);
    });

    it.each([{ sent: {}, count: 0 }, { sent: { TE: "trailers" }, count: 1 }, {
      sent: { TE: "gzip" },
      count: 0,
    }])("reach only those who say so, and the end is clean: $sent", async ({ sent, count }) => {
      link.upstream.answer = raw(chunked(["X-Sum: a"], ["Trailer: X-Sum"]));
      const answer = await ask(sent);
      expect([answer.headersNamed("trailer").length, answer.trailers.length, answer.text, answer.ended])
        .toEqual([count, count, "ok", "end"]);
      expect(link.upstream.requests[0]!.headersNamed("te")).toHaveLength(count);
    });

    it("are asked for by the version of each request, not by that of one before with the same fields", async () => {
      link.upstream.answer = raw(chunked(["X-Sum: a"]));
      const counts: number[] = [];
      for (const version of ["1.0", "1.1", "1.0", "1.1"]) {
        const connection = await link.open();
        const fields = { TE: "trailers" };
        connection.write(
          link.bytes("GET /p", { fields }).toString("latin1").replace("HTTP/1.1", `HTTP/${version}`),
        );
        counts.push((await connection.answer()).trailers.length);
        connection.destroy();
      }
      expect(counts).toEqual([0, 1, 0, 1]);
      expect(link.upstream.requests.map((request) => request.headersNamed("te").length))
        .toEqual([0, 1, 0, 1]);
    });

    it("of a response never frame, route, authenticate or set a cookie", async () => {
      const never = [
        "Content-Length: 5",
        "Transfer-Encoding: x",
        "Set-Cookie: a=1",
        "Location: /x",
        "WWW-Authenticate: Basic",
      ];
      link.upstream.answer = raw(chunked([...never, "X-Sum: a", "Access-Control-Allow-Origin: *"]));
      const { trailers } = await ask({ TE: "trailers" });
      expect(trailers).toEqual([["X-Sum", "a"]]);
    });

    it("hold no key, and nothing that the table removes or sets", async () => {
      link.upstream.answer = raw(chunked(["X-Sum: first/secret+1", "X-Gone: 1", "X-Set: 2", "X-Kept: 1"]));
      const { trailers } = await ask({ TE: "trailers" }, keyed);
      expect(trailers).toEqual([["X-Sum", "{{FIRST_KEY}}"], ["X-Kept", "1"]]);
    });

    it.each([
      { names: "X-Gone, Set-Cookie, X-Sum, X-Set", announced: ["X-Sum"] },
      { names: "X-Gone, Content-Length", announced: [] },
      { names: "first/secret+1, X-Sum", announced: ["X-Sum"] },
    ])("are announced as they come: of $names $announced", async ({ names, announced }) => {
      link.upstream.answer = raw(chunked(["X-Sum: a"], [`Trailer: ${names}`]));
      const answer = await ask({ TE: "trailers" }, keyed);
      expect([answer.headersNamed("trailer"), answer.trailers]).toEqual([announced, [["X-Sum", "a"]]]);
    });

    it("are announced neither by HEAD nor beside a length", async () => {
      link.upstream.answer = raw("HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nContent-Length: 2\r\n\r\nok");
      expect((await ask({ TE: "trailers" })).headersNamed("trailer")).toEqual([]);
      link.upstream.answer = raw("HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n");
      const head = await link.call("HEAD /p", { fields: { TE: "trailers" } });
      expect([head.status, head.headersNamed("trailer")]).toEqual([200, []]);
    });

    it("with a key behind them reach only those who say so", async () => {
      link.upstream.answer = raw(chunked(["X-Sum: first/secret+1", "Set-Cookie: a=1"]));
      const answer = await ask({}, keyed);
      expect([answer.text, answer.trailers]).toEqual(["ok", []]);
    });

    it("of a request go with its chunks, without what is read in front", async () => {
      const never = ["Host: b.test", "Authorization: x", "Cookie: a=1", "X-Forwarded-For: 1"];
      const lines = ["X-Sum: a", ...never, "x-sum: b"];
      const received = await upload(link.proxy.port, lines, [["Trailer", "X-Sum, Host"], [
        "trailer",
        "Cookie",
      ]]);
      expect([received.body.toString(), received.trailers, received.headersNamed("trailer")])
        .toEqual(["ok", [["X-Sum", "a"], ["x-sum", "b"]], ["X-Sum"]]);
    });

    it.each([
      { about: "none of them goes on", trailer: "Host, Authorization, x y, ," },
      { about: "the proxy steers by it", trailer: "proxy_host, X-Forwarded-For" },
      { about: "nobody said which", trailer: "" },
    ])("of a request are announced to nobody where $about", async ({ trailer }) => {
      const received = await upload(link.proxy.port, ["X-Sum: a"], [["Trailer", trailer]]);
      expect([received.trailers, received.headersNamed("trailer")]).toEqual([[["X-Sum", "a"]], []]);
    });

    it("of a request are not announced beside a length", async () => {
      await link.call("POST /p", { fields: { Trailer: "X-Sum" }, body: "ok" });
      expect(link.upstream.requests[0]!.headersNamed("trailer")).toEqual([]);
    });

    it("of a request stay behind where an entry rules over its fields", async () => {
      const received = await upload(keyed.port, ["X-Sum: a"], [["Trailer", "X-Sum"]]);
      expect([received.body.toString(), received.trailers, received.headersNamed("trailer")])
        .toEqual(["ok", [], []]);
    });

    it("of a request hold no caller's token", async () => {
      const token = `fv1.e30.${"A".repeat(43)}`;
      const lines = [`X-Note: of ${token}`, "X-Sum: a", `Authorization: Bearer ${token}`];
      expect((await upload(signed.port, lines)).trailers).toEqual([["X-Sum", "a"]]);
    });

    it("end where they end: the next response follows", async () => {
      link.upstream.answer = raw(chunked(["X-Sum: a"]));
      const connection = await link.open();
      const fields = { TE: "trailers" };
      connection.write(Buffer.concat([link.bytes("GET /a", { fields }), link.bytes("GET /b", { fields })]));
      for (const answer of [await connection.answer(), await connection.answer()]) {
        expect([answer.text, answer.trailers]).toEqual(["ok", [["X-Sum", "a"]]]);
      }
      connection.destroy();
    });
  });
}
