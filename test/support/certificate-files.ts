/**
 * The tests' certificate and its key as files, for settings that name files.
 * @module
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { CERTIFICATE, PRIVATE_KEY } from "./certificate.ts";

const folder = mkdtempSync(join(tmpdir(), "fetchvia-"));
export const CERT_FILE = join(folder, "cert.pem");
export const KEY_FILE = join(folder, "key.pem");
writeFileSync(CERT_FILE, CERTIFICATE);
writeFileSync(KEY_FILE, PRIVATE_KEY);
afterAll(() => rmSync(folder, { recursive: true }));
