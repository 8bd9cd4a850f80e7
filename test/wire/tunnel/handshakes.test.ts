/**
 * How a tunnel is asked for, byte by byte: CONNECT and SOCKS 5.
 * @module
 */
import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { decodeUpstreamProxy } from "../../../src/core/address/upstream-proxy.ts";
import { ConnectHandshake } from "../../../src/wire/tunnel/http-tunnel.ts";
import type { Handshake, Progress } from "../../../src/wire/tunnel/tunnel-failure.ts";
import { SocksHandshake } from "../../../src/wire/tunnel/socks5.ts";
import { MESSAGE } from "../../support/message.ts";
import { rowsOf } from "../../support/rows.ts";

const endsOf = (address: string) => ({ upstream: decodeUpstreamProxy(address)!, target: "target.test" });
const connectBy = (address: string) => new ConnectHandshake(endsOf(address), "93.184.216.34:443");
const socksBy = (address: string, host = "93.184.216.34") => new SocksHandshake(endsOf(address), host, 443);

/** Hands the bytes over one by one; gives what was answered, and the rest. */
function feed(handshake: Handshake, bytes: Buffer): Progress[] {
  return [...bytes].map((byte) => handshake.read(Buffer.of(byte))).filter((step) =>
    Object.keys(step).length > 0
  );
}

function refusalOf(read: () => unknown): { code?: string; message?: string } {
  try {
    read();
  } catch (error) {
    return error as { code?: string; message?: string };
  }
  return {};
}

describe("CONNECT", () => {
  it("asks for the address, with the login as Basic", () => {
    expect(Buffer.from(connectBy("http://u:p%C3%A9@a.test").opening).toString()).toBe(
      "CONNECT 93.184.216.34:443 HTTP/1.1\r\nHost: 93.184.216.34:443\r\nProxy-Authorization: Basic dTpww6k=\r\n\r\n",
    );
    expect(Buffer.from(connectBy("http://a.test").opening).toString()).not.toContain("Proxy-");
  });

  it.each([
    { head: "HTTP/1.1 200 OK\r\n\r\n" },
    { head: "HTTP/1.0 200 Connection established\r\n\r\n" },
    { head: "HTTP/1.1 299 \r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" },
    { head: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n" },
  ])("is open after $head, and what follows is the target's", ({ head }) => {
    expect(connectBy("http://a.test").read(Buffer.from(`${head}first`)))
      .toEqual({ rest: Buffer.from("first") });
    expect(feed(connectBy("http://a.test"), Buffer.from(head))).toEqual([{ rest: Buffer.alloc(0) }]);
  });

  it.each([
    { head: "HTTP/1.1 403 Forbidden", code: "upstream_refused", status: 502 },
    { head: "HTTP/1.1 300 Which", code: "upstream_refused", status: 502 },
    { head: "HTTP/1.1 301 Moved", code: "upstream_refused", status: 502 },
    { head: "HTTP/1.1 101 Switching", code: "upstream_refused", status: 502 },
    { head: "HTTP/1.1 407 Who", code: "upstream_unauthorized", status: 502 },
    { head: "HTTP/1.1 502 Bad", code: "upstream_refused", status: 502 },
    { head: "HTTP/1.1 504 Late", code: "connection_timeout", status: 504 },
    { head: "SSH-2.0-x", code: "malformed_answer", status: 502 },
    { head: "HTTP/1.1 200 OK\r\nbad field", code: "malformed_answer", status: 502 },
  ])("is refused by $head as $code", ({ head, code, status }) => {
    const refusal = refusalOf(() => connectBy("http://u:secret@a.test").read(Buffer.from(`${head}\r\n\r\n`)));
    expect(refusal).toMatchObject({ code, status });
    expect(refusal.message).toMatch(MESSAGE);
    expect(refusal.message).toMatch(/^Cannot reach target\.test: the upstream proxy a\.test:80 /);
    expect(refusal.message).not.toContain("secret");
  });
});

describe("SOCKS 5", () => {
  const OPENED = Buffer.of(5, 0, 0, 1, 1, 2, 3, 4, 0, 80);

  it.each([
    { host: "93.184.216.34", encoded: [1, 93, 184, 216, 34] },
    { host: "2606:4700::1111", encoded: [4, 0x26, 6, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x11] },
    { host: "a.test", encoded: [3, 6, ...Buffer.from("a.test")] },
  ])("asks for $host", ({ host, encoded }) => {
    const handshake = socksBy("socks5://a.test", host);
    expect([...handshake.opening]).toEqual([5, 1, 0]);
    expect(handshake.read(Buffer.of(5, 0))).toEqual({ reply: Buffer.of(5, 1, 0, ...encoded, 1, 187) });
  });

  it("logs in where it is asked to", () => {
    const handshake = socksBy("socks5://u:p%C3%A9@a.test");
    expect([...handshake.opening]).toEqual([5, 2, 0, 2]);
    expect(handshake.read(Buffer.of(5, 2))).toEqual({ reply: Buffer.of(1, 1, 117, 3, 112, 0xc3, 0xa9) });
    expect(handshake.read(Buffer.of(1, 0)).reply?.subarray(0, 4)).toEqual(Buffer.of(5, 1, 0, 1));
    expect(feed(handshake, OPENED)).toEqual([{ rest: Buffer.alloc(0) }]);
  });

  it.each([
    { about: "IPv4", reply: OPENED },
    { about: "IPv6", reply: Buffer.of(5, 0, 0, 4, ...Buffer.alloc(18)) },
    { about: "a name", reply: Buffer.of(5, 0, 0, 3, 2, 97, 98, 0, 80) },
  ])("is open after a reply with $about, and what follows is the target's", ({ reply }) => {
    const handshake = socksBy("socks5://a.test");
    handshake.read(Buffer.of(5, 0));
    expect(handshake.read(Buffer.concat([reply, Buffer.from("first")])))
      .toEqual({ rest: Buffer.from("first") });
  });

  it.each(rowsOf(["about", "login", "steps", "code"], [
    ["no method", "", [[5, 255]], "upstream_unauthorized"],
    ["a method that nobody offered", "", [[5, 2]], "upstream_unauthorized"],
    ["an unknown method", "u:secret@", [[5, 1]], "upstream_unauthorized"],
    ["a wrong password", "u:secret@", [[5, 2], [1, 1]], "upstream_unauthorized"],
    ["HTTP", "", [[...Buffer.from("HTTP")]], "malformed_answer"],
    ["version 4", "", [[0, 90]], "malformed_answer"],
    ["bytes too early", "", [[5, 0, 5]], "malformed_answer"],
    ["another version in the reply", "", [[5, 0], [4, 0]], "malformed_answer"],
    ["an unknown kind of address", "", [[5, 0], [5, 0, 0, 9, 1]], "malformed_answer"],
    ["its rules", "", [[5, 0], [5, 2]], "upstream_refused"],
    ["no route", "", [[5, 0], [5, 4]], "unroutable"],
    ["a dead target", "", [[5, 0], [5, 5]], "connection_refused"],
    ["a late target", "", [[5, 0], [5, 6]], "connection_timeout"],
    ["an unknown failure", "", [[5, 0], [5, 77]], "upstream_refused"],
  ]))("is refused for $about", ({ login, steps, code }) => {
    const handshake = socksBy(`socks5://${login}a.test`);
    const refusal = refusalOf(() => steps.map((step) => handshake.read(Buffer.from(step))));
    expect(refusal).toMatchObject({ code });
    expect(refusal.message).toMatch(MESSAGE);
    expect(refusal.message).toMatch(/^Cannot reach target\.test: the upstream proxy a\.test:1080 /);
  });

  it("takes no name that is too long", () =>
    expect(refusalOf(() => socksBy("socks5://a.test", "a".repeat(256))))
      .toMatchObject({ code: "upstream_refused" }));
});
