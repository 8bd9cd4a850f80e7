/**
 * Makes certificates for tests: any names, any validity, signed by itself or by another one (RFC 5280). Like those of
 * `openssl req -x509`, they say nothing of their use.
 * @module
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign, X509Certificate } from "node:crypto";
import { isIP } from "node:net";

/** A certificate and its private key, PEM. */
export interface Minted {
  cert: string;
  key: string;
}

/** What the certificate says. */
export interface MintOptions {
  /** The subject's common name. */
  subject?: string;
  /** Names and addresses that it is for; none for an authority. */
  names?: readonly string[];
  /** Days from now until it becomes valid, negative for the past; and until it expires. */
  from?: number;
  until?: number;
  /** Who signs it; itself by default. */
  issuer?: Minted;
  /** True for an authority, which may sign others. */
  isAuthority?: boolean;
  /** Whose key stands where a reader finds one that knows definite lengths only (X.690 §8.1.3.6). OpenSSL knows others. */
  shows?: Minted;
}

const DAY_MS = 86_400_000;
/** ecdsa-with-SHA256 (RFC 5758 §3.2). */
const ALGORITHM = sequence(objectId("1.2.840.10045.4.3.2"));

/** Makes a certificate with a key of its own on the curve P-256. */
export function mint(options: MintOptions = {}): Minted {
  const {
    subject = "fetchvia test",
    names = [],
    from = -1,
    until = 365,
    issuer,
    isAuthority = false,
    shows,
  } = options;
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
  const signer: KeyObject = issuer ? createPrivateKey(issuer.key) : privateKey;
  const issuerName = issuer ? new X509Certificate(issuer.cert).subject.replace(/^CN=/, "") : subject;
  const body = sequence(
    tag(0xa0, integer(2)),
    tag(0x02, Buffer.concat([Buffer.from([1]), Buffer.from(crypto.getRandomValues(new Uint8Array(15)))])),
    ALGORITHM,
    shows ? nameAround(shows) : commonName(issuerName),
    sequence(time(from), time(until)),
    commonName(subject),
    publicKey.export({ type: "spki", format: "der" }),
    tag(0xa3, sequence(...extensions(names, isAuthority))),
  );
  const signature = bits(sign("sha256", body, signer));
  const base64 = sequence(body, ALGORITHM, signature).toString("base64").replace(/.{64}/g, "$&\n").trimEnd();
  return { cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`, key };
}

function extensions(names: readonly string[], isAuthority: boolean): Buffer[] {
  const constraints = isAuthority ? sequence(tag(0x01, Buffer.from([0xff]))) : sequence();
  return [
    extension("2.5.29.19", constraints, true),
    ...(names.length ? [extension("2.5.29.17", sequence(...names.map(generalName)))] : []),
  ];
}

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  const critical = isCritical ? [tag(0x01, Buffer.from([0xff]))] : [];
  return sequence(objectId(id), ...critical, tag(0x04, value));
}

function generalName(name: string): Buffer {
  if (isIP(name) === 4) return tag(0x87, Buffer.from(name.split(".").map(Number)));
  return tag(0x82, Buffer.from(name));
}

/** A name of indefinite length. What follows after 128 bytes, a wrong reader's length, looks like the rest of a body. */
function nameAround({ cert }: Minted): Buffer {
  const key = new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" });
  const shown = Buffer.concat([sequence(), sequence(), key]);
  // Heads of the set, the sequence and the text come before the padding, and the name's type.
  const padding = Buffer.alloc(128 - 14);
  const text = tag(0x14, Buffer.concat([padding, shown]));
  const name = tag(0x31, sequence(objectId("2.5.4.3"), text));
  return Buffer.concat([Buffer.from([0x30, 0x80]), name, Buffer.from([0, 0])]);
}

function commonName(name: string): Buffer {
  return sequence(tag(0x31, sequence(objectId("2.5.4.3"), tag(0x0c, Buffer.from(name)))));
}

/** GeneralizedTime is for years from 2050 only (RFC 5280 §4.1.2.5). */
function time(days: number): Buffer {
  const text = new Date(Date.now() + days * DAY_MS).toISOString().replace(/[-:T]|\.\d+/g, "");
  return Number(text.slice(0, 4)) < 2050
    ? tag(0x17, Buffer.from(text.slice(2)))
    : tag(0x18, Buffer.from(text));
}

function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  return tag(0x06, Buffer.from([40 * first + second, ...rest.flatMap(base128)]));
}

function base128(number: number): number[] {
  const digits = [number & 0x7f];
  for (let left = number >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
  return digits;
}

function integer(value: number): Buffer {
  return tag(0x02, Buffer.from([value]));
}

function bits(bytes: Buffer): Buffer {
  return tag(0x03, Buffer.concat([Buffer.from([0]), bytes]));
}

function sequence(...parts: Buffer[]): Buffer {
  return tag(0x30, Buffer.concat(parts));
}

function tag(type: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([type, ...size]), content]);
}
