/**
 * A self-signed certificate for `localhost`, `127.0.0.1` and the public address of the tests, valid until 2126: for tests only, trusted by nobody.
 * @module
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The files, for settings that name files. */
export const CERT_FILE = fileURLToPath(new URL("cert.pem", import.meta.url));
export const KEY_FILE = fileURLToPath(new URL("key.pem", import.meta.url));
/** Settings of a proxy that speaks TLS with it. */
export const SECURE = { TLS_CERT: CERT_FILE, TLS_KEY: KEY_FILE };

/** The certificate, PEM. */
export const CERTIFICATE = readFileSync(CERT_FILE, "utf8");
/** Its private key, PEM. */
export const PRIVATE_KEY = readFileSync(KEY_FILE, "utf8");

/** A certificate for `localhost` that this one signed, for callers that take no authority for a server. */
export const LEAF = readFileSync(new URL("./leaf.pem", import.meta.url), "utf8");
export const LEAF_KEY = readFileSync(new URL("./leaf-key.pem", import.meta.url), "utf8");
