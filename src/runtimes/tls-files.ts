/**
 * Reads the certificate and the key of the listener.
 * @module
 */

import { readFileSync } from "node:fs";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { type Config, ConfigError } from "../index.ts";

/** PEM texts for a listener that speaks https. */
export interface TlsFiles {
  cert: string;
  key: string;
}

/**
 * RFC 7468 §2: Base64 between marks, so no `-`. What stands beside the blocks that are asked for, and before the first, not
 * every runtime passes over.
 */
const BLOCK = /-----BEGIN ([A-Z\d ]+)-----[^-]+-----END \1-----/g;

/**
 * Reads both files: all certificates of the one, the first private key of the other.
 *
 * @returns `undefined` where neither is set
 * @throws {ConfigError} when one is missing, can't be read or does not fit the other
 */
export function readTlsFiles({ tlsCert, tlsKey }: Config): TlsFiles | undefined {
  if (!tlsCert && !tlsKey) return undefined;
  const files = {
    cert: readBlocks("TLS_CERT", tlsCert, /^CERTIFICATE$/, "a certificate").join("\n"),
    key: readBlocks("TLS_KEY", tlsKey, /(?:^| )PRIVATE KEY$/, "a private key")[0],
  };
  if (!fits(files)) {
    throw new ConfigError(
      `TLS_KEY is ${JSON.stringify(tlsKey)}, expected the PEM key of the certificate in TLS_CERT`,
    );
  }
  return files;
}

function fits({ cert, key }: TlsFiles): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

function readBlocks(name: string, file: string, label: RegExp, what: string): [string, ...string[]] {
  const [block, ...others] = [...readText(file).matchAll(BLOCK)]
    .filter(([, found = ""]) => label.test(found))
    .map(([text]) => text);
  if (block) return [block, ...others];
  const expected = file ? `a readable PEM file with ${what}` : "one beside the other of TLS_CERT and TLS_KEY";
  throw new ConfigError(`${name} is ${JSON.stringify(file)}, expected ${expected}`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // The same line says it, whatever is wrong with the file.
    return "";
  }
}
