/**
 * The members about TLS: a target's certificates, the proxy's client certificate, and TLS versions (rules 12.1, 12.4).
 * @module
 */

import { TLS_VERSIONS } from "../../../core/address/route.ts";
import { isTexts } from "../../../core/settings/request-lists.ts";
import { badPart, type Draft, type Member, MemberFault, type Reading } from "./member.ts";

const PIN = /^sha256\/[A-Za-z0-9+/]{43}=$/;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/;
const PRIVATE_KEY = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----[^-]+-----END (?:[A-Z]+ )?PRIVATE KEY-----/;

/** A member that names a PEM file, or is PEM text itself. */
function pemFile(name: "ca" | "cert" | "key", wanted: RegExp): Member {
  const expected = "PEM text, or a readable PEM file beside the table";
  return {
    expected,
    read(value, draft, { sources }) {
      if (typeof value !== "string" || value === "") return false;
      const text = wanted.test(value) ? value : readFile(value, sources);
      if (text === undefined || !wanted.test(text)) return false;
      draft.tls = { ...draft.tls, [name]: text };
      return true;
    },
  };
}

function readFile(path: string, { readFile }: Reading["sources"]): string | undefined {
  try {
    return readFile?.(path, true);
  } catch {
    // One message covers every reason.
    return undefined;
  }
}

/** The TLS members by name. */
export const CONNECTION_MEMBERS: Readonly<Record<string, Member>> = {
  ca: pemFile("ca", CERTIFICATE),
  pin: {
    expected: "sha256/ and the Base64 of a digest, or a list of them",
    read(value, draft) {
      const pins = typeof value === "string" ? [value] : value;
      if (!isTexts(pins) || !pins.every((pin) => PIN.test(pin))) return false;
      draft.tls = { ...draft.tls, pin: pins };
      return true;
    },
  },
  cert: pemFile("cert", CERTIFICATE),
  key: pemFile("key", PRIVATE_KEY),
  serverName: {
    expected: "a host name such as api.example.com",
    read(value, draft) {
      if (typeof value !== "string" || !/^[\w-]+(?:\.[\w-]+)*$/.test(value)) return false;
      draft.tls = { ...draft.tls, serverName: value };
      return true;
    },
  },
  insecure: {
    expected: "true or false",
    read(value, draft, { place }) {
      if (value === true && !isExact(place)) {
        throw badPart("insecure", "it in an entry for one host or address only");
      }
      if (value === true) draft.tls = { ...draft.tls, insecure: true };
      return typeof value === "boolean";
    },
  },
  minVersion: {
    expected: `one of ${TLS_VERSIONS.map((version) => `"${version}"`).join(", ")}`,
    read(value, draft) {
      const minVersion = TLS_VERSIONS.find((version) => version === value);
      if (minVersion) draft.tls = { ...draft.tls, minVersion };
      return minVersion !== undefined;
    },
  },
};

/** True if a place is exactly one host or one address. */
export function isExact(place: Reading["place"]): boolean {
  if (place.kind === "name") return true;
  return place.kind === "range" && place.cidr[1] === (place.cidr[0].kind() === "ipv4" ? 32 : 128);
}

/**
 * Refuses a key in an entry for a range or for everything.
 *
 * @throws {MemberFault}
 */
export function checkHolder(place: Reading["place"]): void {
  if (place.kind === "suffix" || isExact(place)) return;
  throw new MemberFault("holds a key, expected that only for one host or *.suffix");
}

/**
 * Refuses `cert` without `key` or the reverse, and certificates, keys and versions that can't be used.
 *
 * @throws {MemberFault} naming the member that is missing or bad
 */
export function checkTls({ tls }: Draft, { findTlsFault }: Reading["sources"]): void {
  if (tls?.cert && !tls.key) throw new MemberFault("has cert, expected key with it");
  if (tls?.key && !tls.cert) throw new MemberFault("has key, expected cert with it");
  const fault = tls && findTlsFault?.(tls);
  if (fault) throw badPart(fault.member, fault.expected);
}
