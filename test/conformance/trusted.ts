/**
 * `TRUSTED_PROXIES` and `FORWARD_CLIENT`: whose word counts about a caller, and what a target is told.
 * @module
 */
import { describe, expect, it } from "vitest";
import { type Header, type Pool, rowsOf, setCookiesOf, useUpstream } from "../support/topic.ts";

/** Peers in 127.0.9.0/24 are trusted, others are not. */
const TRUSTED = "127.0.9.0/24,10.0.0.0/8,2001:db8::/32";
const FRONT = "127.0.9.1";
const STRANGER = "127.0.8.1";

const LONG = "1.1.1.1, 203.0.113.7, 10.0.0.2, 2001:db8::1";
const CHAINS = rowsOf(["about", "from", "chain", "ip"], [
  ["what it says", FRONT, "203.0.113.7", "203.0.113.7"],
  ["IPv6", FRONT, "2620:fe::9", "2620:fe::9"],
  ["IPv6 in brackets", FRONT, "[2620:FE::0:9]", "2620:fe::9"],
  ["IPv4 inside IPv6", FRONT, "::ffff:203.0.113.7", "203.0.113.7"],
  ["the last that nobody vouches for", FRONT, "1.1.1.1, 203.0.113.7", "203.0.113.7"],
  ["the one in front of trusted ones", FRONT, LONG, "203.0.113.7"],
  ["itself where it says nothing", FRONT, undefined, FRONT],
  ["itself where it says nonsense", FRONT, "nonsense", FRONT],
  ["nothing in front of nonsense", FRONT, "203.0.113.7, unknown, 10.0.0.2", "10.0.0.2"],
  ["nothing of a stranger", STRANGER, "203.0.113.7", STRANGER],
  ["nothing of a stranger who names a trusted one", STRANGER, "203.0.113.7, 127.0.9.1", STRANGER],
]);

const PROTOS = [
  { from: FRONT, proto: "https", secure: true },
  { from: FRONT, proto: "http, https", secure: true },
  { from: FRONT, proto: "https, http", secure: false },
  { from: FRONT, proto: "http", secure: false },
  { from: FRONT, proto: undefined, secure: false },
  { from: STRANGER, proto: "https", secure: false },
];

export function describeTrusted(pool: Pool): void {
  // By default whoever comes through a front reaches public targets only.
  const proxy = pool.with({ TRUSTED_PROXIES: TRUSTED, FORWARD_CLIENT: "true", PRIVATE_TARGETS: "true" });

  describe("a proxy in front", () => {
    it.each(CHAINS)("tells the address: $about", async ({ from, chain, ip }) => {
      const answer = await proxy.call("GET /", { from, fields: { "X-Forwarded-For": chain } });
      expect(answer.json()).toMatchObject({ ip });
    });

    it("tells it in two lines", async () => {
      const fields: Header[] = [["X-Forwarded-For", "1.1.1.1"], ["X-Forwarded-For", "203.0.113.7"]];
      expect((await proxy.call("GET /", { from: FRONT, fields })).json())
        .toMatchObject({ ip: "203.0.113.7" });
    });

    it("tells nothing in other fields", async () => {
      const fields = {
        "X-Real-IP": "203.0.113.7",
        Forwarded: "for=203.0.113.7;proto=https;host=evil.test",
        "X-Forwarded-Host": "evil.test",
      };
      const answer = await proxy.call("GET /", { from: FRONT, fields });
      expect(answer.json()).toMatchObject({ ip: FRONT, host: `127.0.0.1:${proxy.port}` });
    });

    it.each(PROTOS)(
      "makes the host's cookie Secure: $secure, for $proto from $from",
      async ({ from, proto, secure }) => {
        const options = { from, fields: { "X-Forwarded-Proto": proto } };
        const [cookie] = setCookiesOf(await proxy.call("GET /__proxy__/?host=http://a.test", options));
        expect(cookie?.name).toBe("proxy_host");
        expect(cookie?.attributes.includes("Secure")).toBe(secure);
      },
    );

    const trusting = pool.with();
    it("is believed by nobody where none is trusted", async () => {
      const fields = { "X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https" };
      expect((await trusting.call("GET /", { fields })).json()).toMatchObject({ ip: "127.0.0.1" });
    });
  });

  describe("a target that is told who called", () => {
    const upstream = useUpstream();
    const VOUCHED = { "X-Forwarded-For": "6.6.6.6, 203.0.113.7", "X-Forwarded-Proto": "https" };
    const VOUCHED_6 = { "X-Forwarded-For": "2620:fe::9" };
    const CLAIMED = { ...VOUCHED, "X-Forwarded-For": "6.6.6.6", Forwarded: "for=6.6.6.6" };

    it.each(rowsOf(["about", "from", "given", "address", "proto"], [
      ["the vouched address", FRONT, VOUCHED, "203.0.113.7", "https"],
      ["a vouched IPv6 address", FRONT, VOUCHED_6, "2620:fe::9", "http"],
      ["a stranger's own", STRANGER, CLAIMED, STRANGER, "http"],
    ]))("hears $about", async ({ from, given, address, proto }) => {
      await proxy.call("GET /p", { from, fields: { proxy_host: upstream.origin, ...given } });
      const { request } = upstream;
      const node = address.includes(":") ? `"[${address}]"` : address;
      const host = `127.0.0.1:${proxy.port}`;
      expect(request.headersNamed("x-forwarded-for")).toEqual([address]);
      expect(request.headersNamed("x-forwarded-proto")).toEqual([proto]);
      expect(request.headersNamed("x-forwarded-host")).toEqual([host]);
      expect(request.headersNamed("forwarded")).toEqual([`for=${node};host="${host}";proto=${proto}`]);
      expect(request.head).not.toContain("6.6.6.6");
    });
  });
}
