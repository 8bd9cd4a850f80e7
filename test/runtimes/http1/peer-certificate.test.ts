/**
 * A certificate is read once as long as the same one is shown, with a socket of the shape that Deno has.
 * @module
 */
import { Buffer } from "node:buffer";
import type { PeerCertificate, TLSSocket } from "node:tls";
import { expect, it } from "vitest";
import { PeerCertificates } from "../../../src/runtimes/http1/peer-certificate.ts";

/** One byte less than is kept. */
const LARGE = "x".repeat(16_383);

/** A socket that counts how often its certificate is read. */
function socketWith(chain?: readonly string[]) {
  const reads: boolean[] = [];
  const certificates = chain?.map((text) => Buffer.from(text));
  const socket = {
    _handle: chain && { getPeerCertificateChain: () => ({ certificates }) },
    getPeerCertificate(isDetailed: boolean) {
      reads.push(isDetailed);
      return { subject: { CN: chain?.join() ?? "none" } };
    },
  };
  return { socket: socket as unknown as TLSSocket, reads };
}

/** The names in the certificates of connections, and how often one was read. */
function readAll(connections: { name: string; chain?: readonly string[] }[]) {
  const certificates = new PeerCertificates();
  let count = 0;
  const names = connections.map(({ name, chain }) => {
    const { socket, reads } = socketWith(chain);
    certificates.serve(socket, name);
    const { subject } = socket.getPeerCertificate(true);
    count += reads.length;
    return subject.CN;
  });
  return { names, count };
}

it.each([
  {
    about: "the same one again",
    connections: [{ name: "a", chain: ["x", "y"] }, { name: "a", chain: ["x", "y"] }],
    names: ["x,y", "x,y"],
    count: 1,
  },
  {
    about: "another one",
    connections: [{ name: "a", chain: ["x"] }, { name: "a", chain: ["z"] }, { name: "a", chain: ["x"] }],
    names: ["x", "z", "x"],
    count: 3,
  },
  {
    about: "the same one with another behind it",
    connections: [{ name: "a", chain: ["x", "y"] }, { name: "a", chain: ["x", "z"] }],
    names: ["x,y", "x,z"],
    count: 2,
  },
  {
    about: "one more behind it",
    connections: [{ name: "a", chain: ["x"] }, { name: "a", chain: ["x", "y"] }],
    names: ["x", "x,y"],
    count: 2,
  },
  {
    about: "the same one under another name",
    connections: [{ name: "a", chain: ["x"] }, { name: "b", chain: ["x"] }],
    names: ["x", "x"],
    count: 2,
  },
  {
    about: "none",
    connections: [{ name: "a", chain: [] }, { name: "a", chain: [] }],
    names: ["", ""],
    count: 2,
  },
  {
    about: "one as large as it may be",
    connections: [{ name: "a", chain: [LARGE, "y"] }, { name: "a", chain: [LARGE, "y"] }],
    names: [`${LARGE},y`, `${LARGE},y`],
    count: 1,
  },
  {
    about: "a larger one",
    connections: [{ name: "a", chain: [LARGE, "yz"] }, { name: "a", chain: [LARGE, "yz"] }],
    names: [`${LARGE},yz`, `${LARGE},yz`],
    count: 2,
  },
  {
    about: "nothing of its bytes",
    connections: [{ name: "a" }, { name: "a" }],
    names: ["none", "none"],
    count: 2,
  },
])("reads what is shown as often as it must: $about", ({ connections, names, count }) => {
  expect(readAll(connections)).toEqual({ names, count });
});

it("reads one without those behind it each time", () => {
  const certificates = new PeerCertificates();
  const { socket, reads } = socketWith(["x"]);
  certificates.serve(socket, "a");
  socket.getPeerCertificate(true);
  socket.getPeerCertificate();
  socket.getPeerCertificate(false);
  expect(reads).toEqual([true, false, false]);
});

it("keeps no more than a hundred", () => {
  const connections = Array.from({ length: 101 }, (_, at) => ({ name: `${at}`, chain: ["x"] }));
  expect(readAll([...connections, { name: "0", chain: ["x"] }, { name: "100", chain: ["x"] }]).count).toBe(
    102,
  );
});

it("is for a name once that has been compared, and for no other", () => {
  const certificates = new PeerCertificates();
  const certificate = { subject: { CN: "a.test" }, subjectaltname: "DNS:a.test" } as PeerCertificate;
  const names = ["b.test", "a.test", "a.test", "b.test", "a.test"];
  const codes = names.map((name) => certificates.checkIdentity(name, certificate));
  const refused = expect.objectContaining({ code: "ERR_TLS_CERT_ALTNAME_INVALID" });
  expect(codes).toEqual([refused, undefined, undefined, refused, undefined]);
});

it("compares a name with another certificate anew", () => {
  const certificates = new PeerCertificates();
  const failures = ["a.test", "b.test", "a.test"].map((CN) =>
    certificates.checkIdentity("a.test", { subject: { CN }, subjectaltname: `DNS:${CN}` } as PeerCertificate)
  );
  expect(failures.map(Boolean)).toEqual([false, true, false]);
});
