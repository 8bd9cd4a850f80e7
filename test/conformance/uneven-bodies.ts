/**
 * Large bodies in uneven pieces, for sides that read unevenly. Memory that they were read into is given back or used again
 * once they have been sent, so every byte is compared.
 */
import { createHash, randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { CERT_FILE, CERTIFICATE, PRIVATE_KEY } from "../support/certificate.ts";
import { dial, drain, type Drained, listenSink, type Sink } from "../support/flood.ts";
import { type Link, type Pool, useLink } from "../support/topic.ts";

const SIZE = 16_000_000;
const BODY = randomBytes(SIZE);
const WHOLE = { size: SIZE, digest: createHash("sha1").update(BODY).digest("hex") };
/** Sizes of chunks: within one read, as long as several, and with the size apart from its bytes. */
const PIECES = [70_000, 1, 200_000, 513, 16_384, 65_536, 3];
const TOGETHER = 4;
/** How long a side reads, and does not, in milliseconds. */
const READING_MS = 8;
const PAUSED_MS = 3;

const FRAMINGS = [
  { framing: `Content-Length: ${SIZE}`, bytes: BODY },
  { framing: "Transfer-Encoding: chunked", bytes: inChunks(BODY) },
];

function inChunks(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0, turn = 0; at < body.length; turn += 1) {
    const piece = body.subarray(at, at + PIECES[turn % PIECES.length]!);
    parts.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n"));
    at += piece.length;
  }
  return Buffer.concat([...parts, Buffer.from("0\r\n\r\n")]);
}

/** Reads the body of a message, and pauses again and again. */
async function drainUnevenly(socket: Socket): Promise<Drained> {
  const pauses = setInterval(() => {
    socket.pause();
    setTimeout(() => socket.resume(), PAUSED_MS);
  }, READING_MS);
  try {
    return await drain(socket, SIZE);
  } finally {
    clearInterval(pauses);
  }
}

/** Sends the body to a sink by this name of it. */
async function upload(link: Link, sink: Sink, host: string): Promise<Drained> {
  const socket = await dial(link.proxy.port);
  const head = link.bytes("POST /p", { fields: { "Content-Length": String(SIZE) } }).toString("latin1");
  socket.write(head.replace(link.upstream.origin, sink.origin.replace("127.0.0.1", host)));
  socket.write(BODY);
  const drained = await sink.drained;
  socket.destroy();
  sink.close();
  return drained;
}

export function describeUnevenBodies(pool: Pool): void {
  describe("a large body in uneven pieces", () => {
    const link = useLink(pool, { TIMEOUT_MS: "29997" });

    async function download(): Promise<Drained> {
      const socket = await dial(link.proxy.port);
      // HTTP/1.0, so that nothing but the body comes after the head.
      socket.write(link.bytes("GET /p").toString("latin1").replace("HTTP/1.1", "HTTP/1.0"));
      const drained = await drainUnevenly(socket);
      socket.destroy();
      return drained;
    }

    it.each(FRAMINGS)("comes whole to callers who read unevenly, $framing", async ({ framing, bytes }) => {
      link.upstream.answer = (_request, socket) => {
        socket.write(`HTTP/1.1 200 OK\r\n${framing}\r\n\r\n`);
        socket.write(bytes);
      };
      const drained = await Promise.all(Array.from({ length: TOGETHER }, download));
      expect(drained).toMatchObject(Array(TOGETHER).fill(WHOLE));
    });

    it("goes whole to a target that reads unevenly", async () =>
      expect(await upload(link, await listenSink(SIZE, drainUnevenly), "127.0.0.1")).toMatchObject(WHOLE));
  });
}

/** Declares the tests where the proxy makes its own connections. */
export function describeUnevenSecureBodies(pool: Pool): void {
  describe("a large body in uneven pieces, by https", () => {
    const link = useLink(pool, {
      NODE_EXTRA_CA_CERTS: CERT_FILE,
      TARGETS: JSON.stringify({ "127.0.0.1": { ca: CERTIFICATE } }),
      TIMEOUT_MS: "29997",
    });

    // Connections are made in another way where an entry of the table says how.
    it.each([
      { about: "as usual", host: "localhost" },
      { about: "as its entry says", host: "127.0.0.1" },
    ])("goes whole to a target that reads unevenly and is checked $about", async ({ host }) => {
      const sink = await listenSink(SIZE, drainUnevenly, { cert: CERTIFICATE, key: PRIVATE_KEY });
      expect(await upload(link, sink, host)).toMatchObject(WHOLE);
    });
  });
}
