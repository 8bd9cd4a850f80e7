/**
 * Answers that come before the upload is over, from a target that then takes nothing any more: they reach the caller, and
 * none that a reset has cut looks whole (RFC 9112 §9.5, §9.6).
 * @module
 */
import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { reply, silence } from "../support/answers.ts";
import { CERTIFICATE, PRIVATE_KEY } from "../support/certificate.ts";
import { outcomeOf } from "../support/expect.ts";
import { type Link, seen, useLink, whole } from "../support/link.ts";
import type { Pool } from "../support/pool.ts";
import type { Handler } from "../support/upstream.ts";
import { FRONTED } from "./bound-logins.ts";

/** More than the system keeps for a target that does not read. */
const UPLOAD = Buffer.alloc(5_000_000, "x");
/** So many tell a reset that comes before the answer was read from one that comes behind it. */
const TRIES = 8;
const CUT_TRIES = 30;

const HEAD = "HTTP/1.1 413 Content Too Large\r\n";
const ANSWER = `${HEAD}Content-Length: 5\r\n\r\nlarge`;
const LONG = "y".repeat(600_000);

/** Writes an answer, and resets the connection behind it: a socket that closes with bytes unread does so. */
const refuseWith = (...pieces: string[]): Handler => async (_request, socket) => {
  socket.pause().setNoDelay(true);
  for (const piece of pieces) await send(socket, piece);
  socket.destroy();
};

const ENDINGS: { name: string; early: Handler; status?: number }[] = [
  { name: "closes", early: refuseWith(ANSWER) },
  { name: "says that it closes", early: refuseWith(ANSWER.replace("\r\n", "\r\nConnection: close\r\n")) },
  { name: "sends the body behind its head", early: refuseWith(`${HEAD}Content-Length: 5\r\n\r\n`, "large") },
  {
    name: "answers in chunks",
    early: refuseWith(`${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\nlarge\r\n0\r\n\r\n`),
  },
  { name: "tells of more before", early: refuseWith("HTTP/1.1 102 Processing\r\n\r\n", ANSWER) },
  {
    name: "closes its own side only",
    early: (_request, socket) => void socket.pause().end(`${HEAD}\r\nlarge`),
  },
  ...["401 Unauthorized", "307 Temporary Redirect\r\nLocation: /other"].map((status) => ({
    name: `says ${status.slice(0, 3)}`,
    early: refuseWith(ANSWER.replace("413 Content Too Large", status)),
    status: Number(status.slice(0, 3)),
  })),
  { name: "reads on", early: (_request, socket) => void socket.write(ANSWER) },
];

const FRAMINGS: { framing: string; fields: Record<string, string>; body: Buffer }[] = [
  { framing: "a length", fields: { "Content-Length": String(UPLOAD.length) }, body: UPLOAD },
  {
    framing: "chunks",
    fields: { "Transfer-Encoding": "chunked" },
    body: Buffer.concat([
      Buffer.from(`${UPLOAD.length.toString(16)}\r\n`),
      UPLOAD,
      Buffer.from("\r\n0\r\n\r\n"),
    ]),
  },
];

const SHORT = { about: "a short body", fields: { "Content-Length": "5" }, body: Buffer.from("hello") };
/** Uploads with another request behind them, in one go. */
const BEHIND = [ENDINGS[0]!, ENDINGS.at(-1)!].flatMap((ending) => [
  { ...ending, ...SHORT },
  { ...ending, ...SHORT, about: "one that asks", fields: { ...SHORT.fields, Expect: "100-continue" } },
  ...FRAMINGS.map(({ framing, ...rest }) => ({ ...ending, ...rest, about: `a long one by ${framing}` })),
]);

/** Declares the tests. */
export function describeEarlyAnswers(pool: Pool): void {
  describe("an upload that the target answers and then", () => {
    const link = useLink(pool);
    const [usual, other] = FRAMINGS;
    const rows = [...ENDINGS.map((ending) => ({ ...usual!, ...ending })), { ...other!, ...ENDINGS[0]! }];

    it.each(rows)(
      "$name gets its answer every time, with $framing",
      ({ early, status, fields, body }) => expectRefusal(link, early, { fields, body }, status),
    );

    it("resets in the middle of it never looks whole", () => expectCuts(link));

    it.each(BEHIND)("$name: what comes behind $about is a request of its own", async (row) => {
      link.early = (request, socket) => request.method === "POST" ? row.early(request, socket) : undefined;
      const next = reply(200, {}, "next");
      link.upstream.answer = (request, socket) =>
        request.method === "GET" ? next(request, socket) : undefined;
      const connection = await link.write("POST /p", row);
      connection.write(link.bytes("GET /next"));
      const answers = [await connection.answer("POST"), await connection.answer()];
      expect(answers.map(seen)).toEqual([whole(413, "large"), whole(200, "next")]);
      expect(link.upstream.requests.map(({ line }) => line))
        .toEqual(["POST /p HTTP/1.1", "GET /next HTTP/1.1"]);
      connection.destroy();
    });
  });

  describe("an upload by https that the target answers and then", () => {
    const link = useLink(pool, FRONTED, { tls: { cert: CERTIFICATE, key: PRIVATE_KEY } });

    // How it leaves is what TLS has a part in.
    it.each(ENDINGS.filter(({ name }) => /^(?:closes|reads)/.test(name)))(
      "$name gets its answer every time",
      ({ early, status }) =>
        expectRefusal(link, early, { fields: FRAMINGS[0]!.fields, body: UPLOAD }, status),
    );

    it("resets in the middle of it never looks whole", () => expectCuts(link));
  });
}

/** The answer reaches a caller that writes all of its upload before it looks. */
async function expectRefusal(
  link: Link,
  early: Handler,
  options: { fields: Record<string, string>; body: Buffer },
  status = 413,
): Promise<void> {
  link.early = early;
  link.upstream.answer = silence;
  const found = [];
  for (let tried = 0; tried < TRIES; tried += 1) {
    const connection = await link.write("POST /p", options);
    found.push(seen(await connection.answer("POST")));
    connection.destroy();
  }
  expect(found).toEqual(Array(TRIES).fill(whole(status, "large")));
}

async function expectCuts(link: Link): Promise<void> {
  link.early = (_request, socket) => {
    socket.pause();
    socket.write(`HTTP/1.1 200 OK\r\n\r\n${LONG}`);
    setImmediate(() => socket.destroy());
  };
  const clean = [];
  for (let tried = 0; tried < CUT_TRIES; tried += 1) {
    const connection = await link.write("POST /p", { fields: FRAMINGS[0]!.fields, body: UPLOAD });
    const answer = await connection.answer("POST");
    if (outcomeOf(answer) === 200) clean.push(answer.body.length);
    connection.destroy();
  }
  expect(clean.filter((length) => length < LONG.length)).toEqual([]);
}

/** Settles when the system has it. */
function send(socket: Socket, piece: string): Promise<void> {
  return new Promise((resolve) => socket.write(piece, () => resolve()));
}
