/**
 * Certificates of https targets: what is wrong with one, what trusts it, and what turns the check off.
 * @module
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { CERTIFICATE, PRIVATE_KEY } from "../support/certificate.ts";
import { mint } from "../support/mint.ts";
import { argOf, expectError, listen, type Pool, startProxy, type Upstream } from "../support/topic.ts";

const NAMES = ["localhost", "127.0.0.1"];
const KNOWN = mint({ subject: "known authority", isAuthority: true });
const UNKNOWN = mint({ subject: "unknown authority", isAuthority: true });
const BETWEEN = mint({ subject: "between", isAuthority: true, issuer: KNOWN });
const OWN = mint({ subject: "own", names: NAMES });
/** What `openssl req -x509` makes: a certificate for a host that is an authority, too. */
const BOTH = mint({ subject: "both", names: NAMES, isAuthority: true });
const PAST = { from: -20, until: -10 };
const FUTURE = { from: 10, until: 20 };
const fromUnknown = mint({ names: NAMES, issuer: UNKNOWN });
const EXTRA = "NODE_EXTRA_CA_CERTS";
const OFF = "NODE_TLS_REJECT_UNAUTHORIZED=0";

const known = { names: NAMES, issuer: KNOWN };
const AUTHORITY = "is from an unknown authority";
const ISSUERS = `${AUTHORITY}, or the target does not send its issuers`;
const COMPLETE = { ...fromUnknown, cert: fromUnknown.cert + UNKNOWN.cert };

const REFUSED = [
  { about: "expired", tls: mint({ ...known, ...PAST }), words: "has expired", setting: OFF },
  {
    about: "expired and self-signed",
    tls: mint({ names: NAMES, ...PAST }),
    words: "has expired",
    setting: OFF,
  },
  { about: "not yet valid", tls: mint({ ...known, ...FUTURE }), words: "is not yet valid", setting: OFF },
  {
    about: "for another name",
    tls: mint({ ...known, names: ["else.test"] }),
    words: "has the wrong name",
    setting: OFF,
  },
  ...[
    { about: "self-signed", tls: mint({ names: NAMES }), words: "is self-signed" },
    {
      about: "self-signed and an authority",
      tls: mint({ names: NAMES, isAuthority: true }),
      words: "is self-signed",
    },
    { about: "from an unknown authority", tls: fromUnknown, words: AUTHORITY },
    { about: "from an unknown authority that comes with it", tls: COMPLETE, words: AUTHORITY },
    { about: "without its issuers", tls: mint({ names: NAMES, issuer: BETWEEN }), words: ISSUERS },
  ].map((row) => ({ ...row, setting: EXTRA })),
];

const fromBetween = mint({ names: NAMES, issuer: BETWEEN });
const TRUSTED = [
  { about: "from an authority in the file", tls: mint({ names: NAMES, issuer: KNOWN }) },
  { about: "with its issuers", tls: { ...fromBetween, cert: fromBetween.cert + BETWEEN.cert } },
  { about: "that is itself in the file", tls: OWN },
  { about: "that is an authority and itself in the file", tls: BOTH },
  { about: "that openssl made, itself in the file", tls: { cert: CERTIFICATE, key: PRIVATE_KEY } },
];

const HANDSHAKE = {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
};

export function describeCertificates(pool: Pool): void {
  const folder = mkdtempSync(join(tmpdir(), "fetchvia-authorities-"));
  const file = join(folder, "authorities.pem");
  writeFileSync(file, `Some words before.\n${KNOWN.cert}${OWN.cert}${BOTH.cert}${CERTIFICATE}`);
  afterAll(() => rmSync(folder, { recursive: true }));

  describe("a certificate of a target", () => {
    const proxy = pool.with({ [EXTRA]: file, LOG: "off" });
    let upstream: Upstream;
    afterEach(() => upstream.close());

    it.each(REFUSED)("is told to be $about", async ({ tls, words, setting }) => {
      upstream = await listen({ tls });
      const origin = `https://localhost:${upstream.port}`;
      const answers = [
        await proxy.call("GET /p", { fields: { proxy_host: origin } }),
        await proxy.call(`GET /__proxy__/fetch?arg=${argOf({ url: origin })}`),
        await proxy.call("GET /p", { fields: { ...HANDSHAKE, proxy_host: origin } }),
      ];
      for (const [index, answer] of answers.entries()) {
        const title = index === 1 ? "Fetch API Error" : undefined;
        expectError(answer, { status: 502, error: "tls_certificate_error", ...(title && { title }) });
        const { detail } = answer.json() as { detail: string };
        expect(detail).toContain(`Cannot reach localhost:${upstream.port}: its TLS certificate ${words}`);
        expect(detail).toContain(setting);
      }
      expect(upstream.requests).toEqual([]);
    });

    it.each(TRUSTED)("is trusted $about", async ({ tls }) => {
      upstream = await listen({ tls });
      const fields = { proxy_host: `https://localhost:${upstream.port}` };
      expect(await proxy.call("GET /p", { fields })).toMatchObject({ status: 200, text: "ok" });
    });
  });

  describe("the check of certificates", () => {
    it("is said to be off in the start line, where the environment turns it off", async () => {
      const [upstream, proxy] = await Promise.all([
        listen({ tls: REFUSED[0]!.tls }),
        startProxy(pool.runtime, { NODE_TLS_REJECT_UNAUTHORIZED: "0" }),
      ]);
      const fields = { proxy_host: `https://localhost:${upstream.port}` };
      expect((await proxy.call("GET /p", { fields })).status).toBe(200);
      expect(proxy.stderr())
        .toMatch(/: WARNING, certificates of targets are not checked \(NODE_TLS_REJECT_UNAUTHORIZED=0\)$/m);
      await Promise.all([proxy.stop(), upstream.close()]);
    });
  });
}
