/**
 * A session without its certificate resumes, and proves nothing to who can't resume it. Over loopback.
 * @module
 */
import { Buffer } from "node:buffer";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer, type Server, type TLSSocket } from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import { withoutCertificate } from "../../../src/wire/tls/session-certificate.ts";
import { mint } from "../../support/mint.ts";

const OWN = mint({ subject: "own", names: ["a.test"] });
const OTHER = mint({ subject: "other", names: ["a.test"] });
/** Of the tickets of the server whose session it is. */
const TICKET_KEYS = Buffer.alloc(48, 7);
/** `SEQUENCE { INTEGER 1, [3] { NULL }, INTEGER 2 }` */
const SMALL = [0x30, 10, 2, 1, 1, 0xa3, 2, 5, 0, 2, 1, 2];

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

async function serve(certificate: typeof OWN, ticketKeys?: Buffer): Promise<Server> {
  const server = createServer({ ...certificate, ticketKeys }, (socket) => {
    socket.on("error", () => {});
    socket.end("x");
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** A connection that trusts OWN alone. */
function dial(server: Server, session?: Buffer): TLSSocket {
  const { port } = server.address() as AddressInfo;
  const options = { host: "127.0.0.1", port, servername: "a.test", ca: OWN.cert, session };
  return connect({ ...options, minVersion: "TLSv1.3" }).on("error", () => {}).resume();
}

async function learn(server: Server): Promise<Buffer> {
  const socket = dial(server);
  const [session] = await once(socket, "session") as [Buffer];
  socket.destroy();
  return session;
}

describe("a session without its certificate", () => {
  it("resumes", async () => {
    const server = await serve(OWN);
    const socket = dial(server, withoutCertificate(await learn(server)));
    await once(socket, "secureConnect");
    expect([socket.isSessionReused(), socket.authorized]).toEqual([true, true]);
    socket.destroy();
  });

  it.each([
    { about: "knows no such ticket", ticketKeys: undefined },
    { about: "has other keys for tickets", ticketKeys: Buffer.alloc(48, 8) },
  ])("does not excuse the certificate of who $about", async ({ ticketKeys }) => {
    const session = withoutCertificate(await learn(await serve(OWN, TICKET_KEYS)));
    const socket = dial(await serve(OTHER, ticketKeys), session);
    const [error] = await once(socket, "error") as [NodeJS.ErrnoException];
    expect(error.code).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
  });

  it("has memory of its own, so that it keeps no other", () => {
    const session = withoutCertificate(Buffer.from(SMALL));
    expect(session.buffer.byteLength).toBe(session.length);
  });

  it.each([
    { about: "short", bytes: SMALL, rest: [0x30, 6, 2, 1, 1, 2, 1, 2] },
    {
      about: "of more than 127 bytes",
      bytes: [0x30, 0x81, 136, 0xa3, 2, 5, 0, 4, 0x81, 129, ...Array<number>(129).fill(9)],
      rest: [0x30, 0x81, 132, 4, 0x81, 129, ...Array<number>(129).fill(9)],
    },
    {
      about: "of more than 255 bytes",
      bytes: [0x30, 0x82, 1, 8, 0xa3, 2, 5, 0, 4, 0x82, 1, 0, ...Array<number>(256).fill(9)],
      rest: [0x30, 0x82, 1, 4, 4, 0x82, 1, 0, ...Array<number>(256).fill(9)],
    },
  ])("is whole otherwise, $about", ({ bytes, rest }) => {
    expect([...withoutCertificate(Buffer.from(bytes))]).toEqual(rest);
  });

  it.each([
    { about: "nothing", bytes: [] },
    { about: "one byte", bytes: [0x30] },
    { about: "no sequence", bytes: [0x31, ...SMALL.slice(1)] },
    { about: "more than the sequence", bytes: [...SMALL, 0] },
    { about: "a cut sequence", bytes: SMALL.slice(0, -1) },
    { about: "an element that has no length", bytes: [0x30, 1, 2] },
    { about: "an element longer than the sequence", bytes: [0x30, 3, 2, 9, 1] },
    { about: "a certificate longer than the sequence", bytes: [0x30, 4, 0xa3, 9, 5, 0] },
    { about: "a length without end", bytes: [0x30, 0x80, 0xa3, 0, 0, 0] },
    { about: "a length of five bytes", bytes: [0x30, 0x85, 0, 0, 0, 0, 2, 5, 0] },
    { about: "a length that is cut", bytes: [0x30, 3, 2, 0x82, 1] },
    { about: "no certificate", bytes: [0x30, 3, 2, 1, 1] },
  ])("is the session itself for $about", ({ bytes }) => {
    const session = Buffer.from(bytes);
    expect(withoutCertificate(session)).toBe(session);
  });
});
