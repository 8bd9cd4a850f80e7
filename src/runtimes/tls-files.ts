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
 * Reads both files.
 *
 * @returns `undefined` where neither is set
 * @throws {ConfigError} when one is missing, can't be read or does not fit the other
 */
export function readTlsFiles({ tlsCert, tlsKey }: Config): TlsFiles | undefined {
  if (!tlsCert && !tlsKey) return undefined;
  const files = { cert: readPem("TLS_CERT", tlsCert), key: readPem("TLS_KEY", tlsKey) };
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

function readPem(name: string, file: string): string {
  try {
    const text = readFileSync(file, "utf8");
    if (text.includes("-----BEGIN ")) return text;
  } catch {
    // The same line says it, whatever is wrong with the file.
  }
  const expected = file ? "a readable PEM file" : "one beside the other of TLS_CERT and TLS_KEY";
  throw new ConfigError(`${name} is ${JSON.stringify(file)}, expected ${expected}`);
}
