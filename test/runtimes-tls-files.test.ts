/**
 * The certificate and the key of the listener, cut out of whatever else their files hold.
 * @module
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readOptions } from "../src/config.ts";
import { readTlsFiles } from "../src/runtimes/tls-files.ts";
import { CERTIFICATE, PRIVATE_KEY } from "./support/certificate.ts";

const folder = mkdtempSync(join(tmpdir(), "fetchvia-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What is read of files with these texts. */
function read(cert: string, key: string) {
  const [tlsCert, tlsKey] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  writeFileSync(tlsCert, cert);
  writeFileSync(tlsKey, key);
  return readTlsFiles(readOptions({ tlsCert, tlsKey }));
}

const CERT = CERTIFICATE.trim();
const KEY = PRIVATE_KEY.trim();
const PARAMETERS = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";

describe("the files of TLS", () => {
  it.each([
    { about: "alone", cert: CERTIFICATE, key: PRIVATE_KEY, read: { cert: CERT, key: KEY } },
    {
      about: "behind byte order marks",
      cert: `\ufeff${CERTIFICATE}`,
      key: `\ufeff${PRIVATE_KEY}`,
      read: { cert: CERT, key: KEY },
    },
    {
      about: "in one file",
      cert: CERTIFICATE + PRIVATE_KEY,
      key: CERTIFICATE + PRIVATE_KEY,
      read: { cert: CERT, key: KEY },
    },
    {
      about: "among comments and parameters",
      cert: `subject=localhost\n${CERTIFICATE}`,
      key: `${PARAMETERS}Bag Attributes\n${PRIVATE_KEY}end`,
      read: { cert: CERT, key: KEY },
    },
    {
      about: "a chain and two keys",
      cert: `${CERTIFICATE}# issuer\n${CERTIFICATE}`,
      key: PRIVATE_KEY + PRIVATE_KEY,
      read: { cert: `${CERT}\n${CERT}`, key: KEY },
    },
    {
      about: "with other ends of lines",
      cert: CERTIFICATE.replaceAll("\n", "\r\n"),
      key: PRIVATE_KEY,
      read: { cert: CERT.replaceAll("\n", "\r\n"), key: KEY },
    },
  ])("are read $about", ({ cert, key, read: expected }) => {
    expect(read(cert, key)).toEqual(expected);
  });

  it.each([
    {
      about: "no certificate",
      cert: PRIVATE_KEY,
      key: PRIVATE_KEY,
      names: /^TLS_CERT .*with a certificate$/,
    },
    { about: "no key", cert: CERTIFICATE, key: CERTIFICATE, names: /^TLS_KEY .*with a private key$/ },
    { about: "nothing", cert: "", key: "", names: /^TLS_CERT/ },
    {
      about: "half a block",
      cert: CERTIFICATE,
      key: PRIVATE_KEY.slice(0, -5),
      names: /^TLS_KEY/,
    },
    {
      about: "500 KB of blocks without an end",
      cert: CERTIFICATE,
      key: "-----BEGIN PRIVATE KEY-----\nAAAA\n".repeat(15_000),
      names: /^TLS_KEY/,
    },
    {
      about: "a key that is none",
      cert: CERTIFICATE,
      key: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
      names: /^TLS_KEY .*of the certificate in TLS_CERT$/,
    },
  ])("that hold $about are told by name", ({ cert, key, names }) => {
    expect(() => read(cert, key)).toThrow(names);
  });
});
