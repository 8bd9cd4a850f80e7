/**
 * What breaks on the way: a caller or a target that goes is noticed at once by the other, never as a clean end.
 * @module
 */
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { CERTIFICATE, PRIVATE_KEY } from "../support/certificate.ts";
import { listenPlain } from "../support/flood.ts";
import { NOWHERE } from "../support/nowhere.ts";
import { freePort } from "../support/free-port.ts";
import type { Answer, Handler, Link, Pool, Received } from "../support/topic.ts";
import { cut, ERROR_TYPES as OWN_ERROR_TYPES, expectedOf, expectError, LET_GO } from "../support/topic.ts";
import { alike, OLD_CALLERS, outcomeOf, raw, reply, reset, seen, silence } from "../support/topic.ts";
import { UPLOAD_FAULTS, useLink, whole } from "../support/topic.ts";

const LINE = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";
const START = "start of the body";

/** The end of the connection comes when the caller has the start of the body: a reset takes along what is not read yet. */
async function endBehind(link: Link, start: string, end: Handler, version = "1.1"): Promise<Answer> {
  const taken = new Promise<[Received, Socket]>((resolve) => {
    link.upstream.answer = (received, socket) => {
      socket.write(start);
      resolve([received, socket]);
    };
  });
  const connection = await link.open();
  connection.write(link.bytes("GET /p").toString("latin1").replace("HTTP/1.1", `HTTP/${version}`));
  await connection.until(START);
  await end(...await taken);
  const answer = await connection.answer();
  connection.destroy();
  return answer;
}

/** Long enough for what was sent to be an event of its own. */
const PAUSE_MS = 300;
/** A target whose answer is over waits less long than this for the rest of an upload that does not come. */
const BEHIND_ANSWER_MS = 20_000;

const EVENTS = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
const CHUNKS = `${LINE}Transfer-Encoding: chunked\r\n\r\n`;
const BROKEN = [
  { name: "a length, closed", start: `${LINE}Content-Length: 99\r\n\r\n${START}`, end: cut() },
  { name: "a length, reset", start: `${LINE}Content-Length: 99\r\n\r\n${START}`, end: reset() },
  { name: "a long length, closed", start: `${LINE}Content-Length: 999999\r\n\r\n${START}`, end: cut() },
  { name: "chunks, closed", start: `${CHUNKS}11\r\n${START}\r\n`, end: cut() },
  { name: "chunks, reset", start: `${CHUNKS}11\r\n${START}\r\n`, end: reset() },
  { name: "half a chunk, closed", start: `${CHUNKS}99\r\n${START}`, end: cut() },
  { name: "chunks, a bad one", start: `${CHUNKS}11\r\n${START}\r\n`, end: raw("zz\r\nbad\r\n") },
  { name: "chunks, closed in the trailers", start: `${CHUNKS}11\r\n${START}\r\n`, end: cut("0\r\nX-Sum: ") },
  { name: "until closed, reset", start: `${LINE}\r\n${START}`, end: reset() },
];

const REFUSED = [
  { name: "a reset", answer: reset(), error: "connection_terminated" },
  { name: "a close", answer: cut(), error: "connection_terminated" },
  { name: "half a head, closed", answer: cut("HTTP/1.1 200 OK\r\nX-A"), error: "connection_terminated" },
  { name: "half a head, reset", answer: reset("HTTP/1.1 200 OK\r\nX-A"), error: "connection_terminated" },
  { name: "no HTTP", answer: cut("220 mail.test ESMTP\r\n"), error: "http_protocol_error" },
  { name: "binary", answer: cut(Buffer.from([0x15, 3, 1, 0, 2, 2, 0x50])), error: "http_protocol_error" },
  { name: "a bad field", answer: raw(`${LINE}bad field\r\n\r\n`), error: "http_protocol_error" },
];

/** Bodies without a length, which end for a caller of HTTP/1.0 with the connection. */
const UNDELIMITED = BROKEN.filter(({ start }) => !start.includes("Content-Length"));

export function describeFaultsMidway(pool: Pool): void {
  describe("faults", () => {
    describe("of the caller", () => {
      const link = useLink(pool);
      const upload = { fields: { "Transfer-Encoding": "chunked" }, body: "3\r\none\r\n" };

      it.each([
        { what: "a body", line: "POST /p" },
        { what: "an argument", line: "POST /__proxy__/fetch" },
      ])("who sends a malformed chunk of $what is told so", async ({ line }) => {
        const connection = await link.write(line, upload);
        await sleep(PAUSE_MS);
        connection.write("zz\r\n");
        const answer = await connection.answer();
        expect(answer.status).toBe(expectedOf(UPLOAD_FAULTS, pool.runtime, "a malformed chunk", 400));
        connection.destroy();
      });

      it.each([
        { name: "before the answer", line: "GET /p", start: "" },
        { name: "before the answer to a POST", line: "POST /p", start: "" },
        { name: "in a body with a length", line: "GET /p", start: `${LINE}Content-Length: 999999\r\n\r\n` },
        { name: "in an event stream", line: "GET /p", start: EVENTS },
        { name: "in an upload", line: "POST /p", options: upload, start: "" },
        { name: "in an upload that is answered", line: "POST /p", options: upload, start: `${LINE}\r\n` },
      ])("who goes $name lets the target go", async ({ name, line, options = {}, start }) => {
        const { connection, received, socket } = await link.hold(line, options);
        const text = start && `${start}${START}`;
        socket.write(text);
        await connection.until(text && START);
        connection.destroy();
        const letsGo = expectedOf(LET_GO, pool.runtime, name, true);
        const ended = await Promise.race([link.end(received), sleep(letsGo ? 20_000 : 1_000)]);
        expect(ended !== undefined).toBe(letsGo);
      });

      it("who goes behind an early answer, in an upload, lets the target go", async () => {
        link.early = (_request, socket) => void socket.write(`${LINE}Content-Length: 5\r\n\r\nearly`);
        const { connection, received } = await link.begin("POST /p", upload);
        expect(seen(await connection.answer())).toEqual(whole(200, "early"));
        connection.destroy();
        expect(await Promise.race([link.end(received), sleep(BEHIND_ANSWER_MS)]) !== undefined).toBe(true);
      });

      it("who goes takes nobody along", async () => {
        const { connection } = await link.hold("GET /p");
        connection.destroy();
        link.upstream.answer = reply(200, {}, "ok");
        expect(seen(await link.call("GET /p"))).toEqual(whole(200, "ok"));
      });

      it("whose upload is cut never looks whole to the target", async () => {
        const { connection, received } = await link.hold("POST /p", upload);
        connection.end();
        await link.end(received);
        expect(received.state).not.toBe("whole");
      });
    });

    const errorOf = (type: string) => expectedOf(OWN_ERROR_TYPES, pool.runtime, type, type);
    describe("of the target", () => {
      const link = useLink(pool);

      it.each(BROKEN)("in $name, cut the caller off", async ({ start, end }) => {
        const answer = await endBehind(link, start, end);
        expect(answer).toMatchObject({ status: 200, text: START });
        expect(outcomeOf(answer)).toBe("cut");
      });

      it("in a reset right behind bytes without a length, cut the caller off every time", async () => {
        link.upstream.answer = (_request, socket) => {
          socket.write(`${LINE}\r\n${START}`);
          setImmediate(() => socket.resetAndDestroy());
        };
        const calls = Array.from({ length: 20 }, () => link.call("GET /p").then(outcomeOf));
        // Some lose even the head.
        const others = (await Promise.all(calls)).filter((outcome) => outcome !== "cut" && outcome !== 502);
        expect(others).toEqual([]);
      });

      it.each(UNDELIMITED)("in $name, cut a caller of HTTP/1.0 off", async ({ start, end }) => {
        const answer = await endBehind(link, start, end, "1.0");
        expect(outcomeOf(answer)).toBe(expectedOf(OLD_CALLERS, pool.runtime, "cut", "cut"));
      });

      it.each(BROKEN)("in $name, at once, never look whole", async ({ start, end }) => {
        link.upstream.answer = async (request, socket) => {
          socket.write(start);
          await end(request, socket);
        };
        const answer = await link.call("GET /p");
        expect(outcomeOf(answer) === "cut" || answer.header("proxy-status") !== undefined).toBe(true);
      });

      it.each(REFUSED)("before the head are a 502: $name", async ({ answer, error }) => {
        link.upstream.answer = answer;
        expectError(await link.call("GET /p"), { status: 502, error: errorOf(error) });
      });

      it.each(REFUSED)("before the head are a 502 for a POST, once: $name", async ({ answer, error }) => {
        link.upstream.answer = answer;
        expectError(await link.call("POST /p", { body: "once" }), { status: 502, error: errorOf(error) });
        expect(link.upstream.requests).toHaveLength(1);
      });

      it("that does not listen are a 502", async () => {
        const fields = { proxy_host: `http://127.0.0.1:${await freePort()}` };
        const answer = await link.proxy.call("GET /p", { fields });
        expectError(answer, { status: 502, error: errorOf("connection_refused") });
      });

      it.each([{ url: `http://${NOWHERE}/` }, { url: `https://${NOWHERE}/` }])(
        "without an address are a 502, $url",
        async ({ url }) => {
          const answer = await link.proxy.call(`GET /__proxy__/?url=${url}`);
          expectError(answer, { status: 502, error: errorOf("dns_error"), names: NOWHERE });
        },
      );

      it("who always closes after a body without framing is no clean end when it breaks off", async () => {
        link.upstream.answer = cut(`${LINE}\r\nwhole`);
        expect(seen(await link.call("GET /first"))).toEqual(whole(200, "whole"));
        expect(outcomeOf(await endBehind(link, `${LINE}\r\n${START}`, reset()))).toBe("cut");
      });
    });

    describeTls(pool);
  });
}

function describeTls(pool: Pool): void {
  const errorOf = (type: string) => expectedOf(OWN_ERROR_TYPES, pool.runtime, type, type);
  describe("of TLS", () => {
    const link = useLink(pool, {}, { tls: { cert: CERTIFICATE, key: PRIVATE_KEY } });

    it.each(alike("host")`localhost 127.0.0.1`)("trust no unknown issuer, $host", async ({ host }) => {
      link.upstream.answer = silence;
      const fields = { proxy_host: `https://${host}:${link.upstream.port}` };
      const answer = await link.proxy.call("GET /p", { fields });
      expectError(answer, { status: 502, error: errorOf("tls_certificate_error") });
      expect(link.upstream.requests).toEqual([]);
    });

    it("are a 502 where the target speaks none", async () => {
      const server = await listenPlain();
      const fields = { proxy_host: server.origin.replace("http:", "https:") };
      expectError(await link.proxy.call("GET /p", { fields }), {
        status: 502,
        error: errorOf("tls_protocol_error"),
      });
      server.close();
    });

    it("are a 502 where only the target speaks it", async () => {
      const fields = { proxy_host: `http://localhost:${link.upstream.port}` };
      expectError(await link.proxy.call("GET /p", { fields }), { status: 502 });
    });
  });
}
