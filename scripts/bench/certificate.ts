/**
 * An authority and a certificate for the target, made for one run of the bench.
 * @module
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** PEM files. */
export interface Certificate {
  /** The authority that candidates have to trust. */
  authority: string;
  certificate: string;
  key: string;
}

const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];

/** Makes both with `openssl`: a P-256 key, for `localhost` and 127.0.0.1. The system does not trust this authority. */
export function makeCertificate(folder: string): Certificate {
  const [authority, authorityKey] = [join(folder, "authority.pem"), join(folder, "authority.key")];
  const [certificate, key] = [join(folder, "target.pem"), join(folder, "target.key")];
  makeOne("fetchvia bench authority", authority, authorityKey, [
    ...["-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign"],
  ]);
  makeOne("localhost", certificate, key, [
    ...["-CA", authority, "-CAkey", authorityKey],
    ...["-addext", "basicConstraints=critical,CA:FALSE"],
    ...["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
  ]);
  return { authority, certificate, key };
}

function makeOne(name: string, file: string, key: string, more: readonly string[]): void {
  const args = ["req", "-x509", ...NEW_KEY, "-subj", `/CN=${name}`, "-out", file, "-keyout", key, ...more];
  execFileSync("openssl", args, { stdio: ["ignore", "ignore", "pipe"] });
}
