/** The certificate and the key of the listener, cut out of whatever else their files hold. */
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { readConfig } from "../../../src/core/settings/config.ts";
import { listExpired, readTlsFiles } from "../../../src/runtimes/process/tls-files.ts";
import { rereadTlsFiles, type TlsFiles } from "../../../src/runtimes/process/tls-files.ts";
import { rowsOf } from "../../support/rows.ts";
import { CERTIFICATE, PRIVATE_KEY } from "../../support/certificate.ts";
import { mint } from "../../support/mint.ts";

const folder = mkdtempSync(join(tmpdir(), "fetchvia-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What is read of files with these texts. */
function read(cert: string, key: string) {
  const [tlsCert, tlsKey] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  writeFileSync(tlsCert, cert);
  writeFileSync(tlsKey, key);
  return readTlsFiles(readConfig({ TLS_CERT: tlsCert, TLS_KEY: tlsKey }));
}

const CERT = CERTIFICATE.trim();
const KEY = PRIVATE_KEY.trim();
const PARAMETERS = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";

/** Self-signed, of no use but to stand where another is expected. */
const OTHER_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBODCB66ADAgECAhRyEVNuRAeBZoe/UBj9+swHOO0RPzAFBgMrZXAwETEPMA0G
A1UEAwwGaXNzdWVyMCAXDTI2MTEyMjAyMzQyMVoYDzIxMjYxMDI5MDIzNDIxWjAR
MQ8wDQYDVQQDDAZpc3N1ZXIwKjAFBgMrZXADIQAfGWxz0mepiURbYOwgQrp4GAcn
X1MrFoIjBNfQk7ItZqNTMFEwHQYDVR0OBBYEFChWRemQWstKCCr038Hxzar17/gK
MB8GA1UdIwQYMBaAFChWRemQWstKCCr038Hxzar17/gKMA8GA1UdEwEB/wQFMAMB
Af8wBQYDK2VwA0EAlRyDtK4wJBJjqW57+3rrhVciQ+O7dlGhE8xI0swWishzPMAR
3fWU6vfqsm8A4i6S23xWKdOtVcypw7Jia1NnDg==
-----END CERTIFICATE-----
`;
const { privateKey: other } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const OTHER_KEY = other.export({ type: "pkcs8", format: "pem" }).toString();

const { privateKey: bitcoin } = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
const BITCOIN_KEY = bitcoin.export({ type: "pkcs8", format: "pem" }).toString();

/** A key behind a passphrase, in the form of RFC 7468 or that of OpenSSL. */
function encrypted(type: "pkcs8" | "sec1"): string {
  return other.export({ type, format: "pem", cipher: "aes-128-cbc", passphrase: "secret" }).toString();
}

describe("the files of TLS", () => {
  it.each(rowsOf(["about", "cert", "key", "read"], [
    ["alone", CERTIFICATE, PRIVATE_KEY, { cert: CERT, key: KEY }],
    ["behind byte order marks", `\ufeff${CERTIFICATE}`, `\ufeff${PRIVATE_KEY}`, { cert: CERT, key: KEY }],
    ["in one file", CERTIFICATE + PRIVATE_KEY, CERTIFICATE + PRIVATE_KEY, { cert: CERT, key: KEY }],
    [
      "among comments and parameters",
      `subject=localhost\n${CERTIFICATE}`,
      `${PARAMETERS}Bag Attributes\n${PRIVATE_KEY}end`,
      { cert: CERT, key: KEY },
    ],
    ["a chain and two keys", `${CERTIFICATE}# issuer\n${CERTIFICATE}`, PRIVATE_KEY + PRIVATE_KEY, {
      cert: `${CERT}\n${CERT}`,
      key: KEY,
    }],
    ["with other ends of lines", CERTIFICATE.replaceAll("\n", "\r\n"), PRIVATE_KEY, {
      cert: CERT.replaceAll("\n", "\r\n"),
      key: KEY,
    }],
  ]))("are read $about", ({ cert, key, read: expected }) => expect(read(cert, key)).toEqual(expected));

  it.each(["TLS_CERT", "TLS_KEY"])("do not stand alone: %s", (name) => {
    const file = join(folder, "cert.pem");
    writeFileSync(file, CERTIFICATE);
    expect(() => readTlsFiles(readConfig({ [name]: file })))
      .toThrow(/^TLS_\w+ is "", expected a file: TLS_CERT and TLS_KEY are set together$/);
  });

  it.each(rowsOf(["about", "cert", "key", "names"], [
    ["no certificate", PRIVATE_KEY, PRIVATE_KEY, /^TLS_CERT .*with a certificate$/],
    ["an indented one", CERTIFICATE.replace(/^/gm, "  "), PRIVATE_KEY, /^TLS_CERT .*with a certificate$/],
    ["no key", CERTIFICATE, CERTIFICATE, /^TLS_KEY .*with a private key$/],
    ["nothing", "", "", /^TLS_CERT/],
    ["half a block", CERTIFICATE, PRIVATE_KEY.slice(0, -5), /^TLS_KEY/],
    [
      "500 KB of blocks without an end",
      CERTIFICATE,
      "-----BEGIN PRIVATE KEY-----\nAAAA\n".repeat(15_000),
      /^TLS_KEY/,
    ],
    [
      "a key that is none",
      CERTIFICATE,
      "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
      /^TLS_KEY .*such as P-256: it is of a kind that is unknown here$/,
    ],
    ["a key that TLS does not use", CERTIFICATE, BITCOIN_KEY, /^TLS_KEY .*such as P-256: it is secp256k1$/],
    ["an encrypted key", CERTIFICATE, encrypted("pkcs8"), /^TLS_KEY .*expected an unencrypted key$/],
    [
      "a key that OpenSSL has encrypted",
      CERTIFICATE,
      encrypted("sec1"),
      /^TLS_KEY .*expected an unencrypted key$/,
    ],
    [
      "the issuer first",
      OTHER_CERTIFICATE + CERTIFICATE,
      PRIVATE_KEY,
      /^TLS_CERT .*the certificate of TLS_KEY first, then its issuers$/,
    ],
    [
      "a key of none of the certificates",
      CERTIFICATE + CERTIFICATE,
      OTHER_KEY,
      /^TLS_KEY .*of the certificate in TLS_CERT$/,
    ],
  ]))("that hold $about are told by name", ({ cert, key, names }) => {
    expect(() => read(cert, key)).toThrow(names);
  });
});

it.each(rowsOf(["about", "text", "says"], [
  ["a good one", mint({}).cert, []],
  ["one of the past", mint({ from: -9, until: -1 }).cert, [
    expect.stringMatching(/^TLS_CERT has expired \(.+ GMT\): /),
  ]],
  ["one to come", mint({ from: 1, until: 9 }).cert, [
    expect.stringMatching(/^TLS_CERT is not valid before .+ GMT: /),
  ]],
  ["none", "", []],
]))("at the start $about is told of, if callers refuse it", ({ text, says }) => {
  const tlsCert = join(folder, "own.pem");
  writeFileSync(tlsCert, text);
  expect([listExpired({ tlsCert }), listExpired({ tlsCert: "" })]).toEqual([says, []]);
});

describe("reading again", () => {
  const first = mint({ names: ["localhost"] });
  const next = mint({ names: ["localhost"], until: 30 });
  const start = (use: (files: TlsFiles) => void) => {
    const [tlsCert, tlsKey] = [join(folder, "again.crt"), join(folder, "again.key")];
    const place = ({ cert, key }: TlsFiles) => {
      writeFileSync(tlsCert, cert);
      writeFileSync(tlsKey, key);
    };
    place(first);
    const config = readConfig({ TLS_CERT: tlsCert, TLS_KEY: tlsKey });
    const [reread] = rereadTlsFiles(config, readTlsFiles(config), use);
    return { place, reread: reread! };
  };

  it("puts other files in force, once", async () => {
    const use = vi.fn();
    const { place, reread } = start(use);
    expect(await reread()).toBeUndefined();
    place(next);
    expect(await reread()).toMatch(/^TLS_CERT and TLS_KEY, valid until \w{3} +\d+ [\d:]{8} \d{4} GMT$/);
    expect(await reread()).toBeUndefined();
    expect(use.mock.calls).toEqual([[{ cert: next.cert.trim(), key: next.key.trim() }]]);
  });

  it("keeps those in force where the new ones are bad", async () => {
    const use = vi.fn();
    const { place, reread } = start(use);
    place({ cert: next.cert, key: first.key });
    await expect(reread()).rejects.toThrow(/^TLS_KEY is ".*", expected the PEM key of the certificate/);
    place(first);
    expect(await reread()).toBeUndefined();
    expect(use).not.toHaveBeenCalled();
  });

  it("tries again what the runtime could not use", async () => {
    const use = vi.fn(() => {
      throw new Error("unknown curve");
    });
    const { place, reread } = start(use);
    place(next);
    const refusal = /^TLS_KEY is ".*", expected a key type that this runtime supports, such as P-256$/;
    await expect(reread()).rejects.toThrow(refusal);
    await expect(reread()).rejects.toThrow(refusal);
  });

  it("is nothing without files", () =>
    expect(rereadTlsFiles(readConfig({}), undefined, () => {})).toEqual([]));
});
