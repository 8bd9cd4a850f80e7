/**
 * Reads the certificate and the key of the listener.
 * @module
 */

import { readFileSync } from "node:fs";
import { type Config, ConfigError } from "../../core/settings/config.ts";
import { nodeCrypto } from "../../wire/tls/late-modules.ts";
import { traits } from "../../wire/runtime-traits.ts";
import type { Reread } from "./reread.ts";
import { refusePipe } from "./watch-file.ts";

/** PEM texts for an https listener. */
export interface TlsFiles {
  cert: string;
  key: string;
}

/**
 * RFC 7468 §2: Base64 between marks, so no `-`. Only the wanted blocks are kept, because some runtimes reject other
 * text and blocks.
 */
const BLOCK = /-----BEGIN ([A-Z\d ]+)-----[^-]+-----END \1-----/g;

const CERTIFICATE_LABEL = /^CERTIFICATE$/;
/** Labels of RFC 7468 §10 and of OpenSSL, except those of encrypted keys. */
const KEY_LABEL = /^(?!ENCRYPTED )(?:[A-Z]+ )?PRIVATE KEY$/;
/** RFC 7468 §11, and RFC 1421 §4.6.1.1 inside blocks of OpenSSL. */
const ENCRYPTED_KEY = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;

/**
 * Reads all certificates of one file, and the first private key of the other.
 *
 * @returns `undefined` if neither is set
 * @throws {ConfigError} if one is missing, unreadable or does not match the other
 */
export function readTlsFiles({ tlsCert, tlsKey }: Config): TlsFiles | undefined {
  if (!tlsCert && !tlsKey) return undefined;
  const certificates = readCertificates(tlsCert);
  const key = readKey(tlsKey);
  refuseKind(tlsKey, key);
  const index = certificates.findIndex((certificate) => fits(certificate, key));
  if (index === 0) return { cert: certificates.join("\n"), key };
  throw index > 0
    ? describeTlsFault("TLS_CERT", tlsCert, "the certificate of TLS_KEY first, then its issuers")
    : describeTlsFault("TLS_KEY", tlsKey, "the PEM key of the certificate in TLS_CERT");
}

/**
 * Makes the function that reads the files again.
 *
 * @param files the files in force; `undefined` if there are none
 * @param use puts new files in force for new connections; throws if the runtime can't use them
 */
export function rereadTlsFiles(
  config: Config,
  files: TlsFiles | undefined,
  use: (files: TlsFiles) => void | Promise<void>,
): Reread[] {
  let current = files;
  const reread = async () => {
    for (const file of [config.tlsCert, config.tlsKey]) refusePipe(file);
    const next = readTlsFiles(config);
    if (!next || (next.cert === current?.cert && next.key === current.key)) return undefined;
    try {
      await use(next);
    } catch {
      throw describeTlsFault(
        "TLS_KEY",
        config.tlsKey,
        "a key type that this runtime supports, such as P-256",
      );
    }
    current = next;
    return `TLS_CERT and TLS_KEY, valid until ${parseCertificate(next.cert).validTo}`;
  };
  return files ? [reread] : [];
}

/** Tells that callers refuse the certificate of the listener now; nothing of a good one, and of none. */
export function listExpired({ tlsCert }: Pick<Config, "tlsCert">): string[] {
  const [first = ""] = tlsCert ? cutBlocks(readText(tlsCert), CERTIFICATE_LABEL) : [];
  // A plain start loads no `node:crypto`.
  if (!first || !isReadable(first)) return [];
  const { validFrom, validTo } = parseCertificate(first);
  const now = Date.now();
  if (now > Date.parse(validTo)) return [`TLS_CERT has expired (${validTo}): callers refuse it`];
  return now < Date.parse(validFrom) ? [`TLS_CERT is not valid before ${validFrom}: callers refuse it`] : [];
}

/** Kinds of keys with which handshakes work: TLS has no other curves (RFC 8446 §4.2.3). */
const KINDS = /^(?:rsa|ed25519|prime256v1|secp384r1|secp521r1)$/;
/** Kinds that only OpenSSL has. */
const OPENSSL_KINDS = /^(?:rsa-pss|ed448)$/;

/** Refuses a key with which each handshake would fail. */
function refuseKind(file: string, key: string): void {
  let kind = "of a kind that is unknown here";
  try {
    const { asymmetricKeyDetails, asymmetricKeyType = "" } = nodeCrypto().createPrivateKey(key);
    kind = asymmetricKeyDetails?.namedCurve ?? asymmetricKeyType;
  } catch {
    // BoringSSL reads fewer kinds.
  }
  if (KINDS.test(kind) || (!traits.hasOwnCiphers && OPENSSL_KINDS.test(kind))) return;
  throw describeTlsFault("TLS_KEY", file, `a key of a kind that is used here, such as P-256: it is ${kind}`);
}

function fits(certificate: string, key: string): boolean {
  try {
    return parseCertificate(certificate).checkPrivateKey(nodeCrypto().createPrivateKey(key));
  } catch {
    return false;
  }
}

function isReadable(certificate: string): boolean {
  try {
    return !!parseCertificate(certificate);
  } catch {
    return false;
  }
}

/** Reads the text of one; throws if it is none. */
function parseCertificate(text: string) {
  const { X509Certificate } = nodeCrypto();
  return new X509Certificate(text);
}

function readCertificates(file: string): string[] {
  const certificates = cutBlocks(readText(file), CERTIFICATE_LABEL);
  if (certificates.some(isReadable)) return certificates;
  throw describeTlsFault("TLS_CERT", file, "a readable PEM file with a certificate");
}

function readKey(file: string): string {
  const text = readText(file);
  const [key] = cutBlocks(text, KEY_LABEL);
  if (key) return key;
  const isEncrypted = ENCRYPTED_KEY.test(text);
  throw describeTlsFault(
    "TLS_KEY",
    file,
    isEncrypted ? "an unencrypted key" : "a readable PEM file with a private key",
  );
}

function cutBlocks(text: string, label: RegExp): string[] {
  return [...text.matchAll(BLOCK)].filter(([, found = ""]) => label.test(found)).map(([block]) => block);
}

function describeTlsFault(name: string, file: string, expected: string): ConfigError {
  const wanted = file ? expected : "a file: TLS_CERT and TLS_KEY are set together";
  return new ConfigError(`${name} is ${JSON.stringify(file)}, expected ${wanted}`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // The caller's error message covers every reason.
    return "";
  }
}
