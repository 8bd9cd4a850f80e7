/**
 * TLS to a target, configured by its entry in the table: authorities, pins, a client certificate, another name
 * (rule 12.1), the minimum version (rule 12.4).
 * @module
 */

import type { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import type {
  ConnectionOptions as TlsOptions,
  SecureContext,
  SecureContextOptions,
  TLSSocket,
} from "node:tls";
import type { TargetTls } from "../../core/address/route.ts";
import type { TlsFacts } from "../../core/hop-watch.ts";
import type { ConnectionOptions } from "../client/connection-options.ts";
import { traits } from "../runtime-traits.ts";
import { connectPausable } from "./pausable-tls.ts";
import { nodeCrypto, nodeTls } from "./late-modules.ts";
import { followSocket, resume } from "./resumption.ts";
import { tellPeer } from "./tell-peer.ts";

/** A `node:tls` function that Node 20 lacks. */
interface Authorities {
  getCACertificates?(which: "default"): readonly string[];
}

/** Processors have instructions for SHA-256, the hash of this cipher, but not for SHA-384. Browsers prefer it too. */
const FIRST = "TLS_AES_128_GCM_SHA256";
const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
/** The TLS options shared by connections with the same options. */
const common = new WeakMap<ConnectionOptions, TlsOptions>();
/** One context per entry: parsing all authorities takes milliseconds. */
const contexts = new WeakMap<TargetTls, SecureContext>();
/** Shared by every target without its own authorities; building one for each connection takes a tenth of the time to connect. */
let usualContext: SecureContext | undefined;
let usual: readonly string[] | undefined;

/** Further options for `tls.connect`. */
export interface SecureOptions extends TlsOptions {
  /** The connection to wrap, if it goes through a tunnel. */
  socket?: Socket;
}

/**
 * Connects with TLS.
 *
 * @throws {Error} with the code `CERT_UNUSABLE` if the entry's own certificates can't be read
 */
export function connectTls(options: ConnectionOptions, more?: SecureOptions): TLSSocket {
  let known = common.get(options);
  if (!known) common.set(options, known = commonOf(options));
  return connectPausable(more ? { ...known, ...more } : known);
}

/** Contains only the options that Node reads, because Node copies all of them twice. */
function commonOf({ host, port, servername, lookup, addresses, route }: ConnectionOptions): TlsOptions {
  const [address, another] = addresses ?? [];
  return {
    port,
    // A `lookup` of a single address would take a turn of the event loop.
    ...(address && !another ? { host: address } : { host, lookup }),
    servername,
    ALPNProtocols: ["http/1.1"],
    ...optionsOf(route?.tls),
  };
}

/**
 * Connects with TLS, and calls back when the connection can be written to. If no pin matches the key, the connection is
 * destroyed before a byte of the request is sent. It resumes an earlier session, without early data (RFC 8446 §2.3).
 *
 * @throws {Error} with the code `CERT_UNUSABLE` if the entry's own certificates can't be read
 */
export function connectTrusted(
  options: ConnectionOptions,
  onOpen: (readTls: () => TlsFacts) => void,
  more?: SecureOptions,
): TLSSocket {
  const pins = options.route?.tls?.pin;
  const resumption = resume(options);
  const session = resumption?.session;
  const socket = connectTls(options, session ? { ...more, session } : more);
  if (resumption) followSocket(socket, resumption);
  socket.once("secureConnect", () => {
    const pinned = pins && findPinned(socket, pins);
    if (pins && !pinned) {
      socket.destroy(Object.assign(new Error("no pin fits"), { code: "CERT_PIN_MISMATCH" }));
    } else onOpen(() => factsOf(socket, pinned));
  });
  return socket;
}

function factsOf(socket: TLSSocket, pinned: X509Certificate | undefined): TlsFacts {
  const protocol = socket.getProtocol();
  const cipher = socket.getCipher()?.standardName;
  return { ...protocol && { protocol }, ...cipher && { cipher }, ...tellPeer(socket, pinned) };
}

function findPinned(socket: TLSSocket, pins: readonly string[]): X509Certificate | undefined {
  const certificate = socket.getPeerX509Certificate();
  const pin = certificate && pinOf(certificate);
  return pin !== undefined && pins.includes(pin) ? certificate : undefined;
}

function optionsOf(entry: TargetTls | undefined): TlsOptions {
  if (!entry) return { secureContext: shareUsual() };
  const { ca, cert, minVersion, serverName, insecure } = entry;
  return {
    ...(serverName && { servername: serverName }),
    secureContext: ca || cert || minVersion ? contextOf(entry) : shareUsual(),
    // The entry of this target asks for it. Its pins are still checked.
    ...(insecure && { rejectUnauthorized: false }),
  };
}

function shareUsual(): SecureContext {
  return usualContext ??= nodeTls().createSecureContext(listCiphers(false));
}

function contextOf(entry: TargetTls): SecureContext {
  const known = contexts.get(entry);
  if (known) return known;
  const { ca, cert, key, minVersion } = entry;
  const isOld = minVersion === "TLSv1" || minVersion === "TLSv1.1";
  try {
    const context = nodeTls().createSecureContext({
      ...listCiphers(isOld),
      ...(minVersion && { minVersion }),
      ...(ca && { ca: [...listUsual(), ...ca.match(CERTIFICATES) ?? []] }),
      ...(cert && { cert, key }),
    });
    contexts.set(entry, context);
    return context;
  } catch (cause) {
    throw Object.assign(new Error("unusable certificates", { cause }), { code: "CERT_UNUSABLE" });
  }
}

/**
 * The ciphers to offer.
 *
 * @param isOld true to relax what OpenSSL requires besides the version: strong keys and digests (level 1 excludes SHA-1, which
 * TLS below 1.2 signs with), and secure renegotiation (RFC 5746)
 */
function listCiphers(isOld: boolean): SecureContextOptions {
  const ciphers = orderCiphers();
  if (!isOld || traits.hasOwnCiphers) return ciphers ? { ciphers } : {};
  return {
    ciphers: `${ciphers ?? nodeTls().DEFAULT_CIPHERS}:@SECLEVEL=0`,
    secureOptions: nodeCrypto().constants.SSL_OP_LEGACY_SERVER_CONNECT,
  };
}

/** The authorities that are trusted by default, including those in NODE_EXTRA_CA_CERTS. */
function listUsual(): readonly string[] {
  const { getCACertificates, rootCertificates } = nodeTls() as ReturnType<typeof nodeTls> & Authorities;
  usual ??= getCACertificates?.("default") ?? [...rootCertificates, ...readExtra()];
  return usual;
}

function readExtra(): readonly string[] {
  const file = process.env["NODE_EXTRA_CA_CERTS"];
  if (!file) return [];
  try {
    return readFileSync(file, "utf8").match(CERTIFICATES) ?? [];
  } catch {
    // The runtime has already warned about the file.
    return [];
  }
}

/**
 * The pin of a certificate: `sha256/` and the Base64 of the digest of its SubjectPublicKeyInfo.
 *
 * Uses the key that the platform's TLS has parsed. A parser of our own could be made to see another key, with lengths that
 * only one of the two parsers understands.
 *
 * @returns `undefined` if the platform does not support this kind of key
 */
export function pinOf(certificate: X509Certificate): string | undefined {
  try {
    const key = certificate.publicKey.export({ type: "spki", format: "der" });
    return `sha256/${nodeCrypto().createHash("sha256").update(key).digest("base64")}`;
  } catch {
    return undefined;
  }
}

/**
 * Node's default ciphers (20), with AES-128 moved to the front.
 *
 * @param ciphers the list that Node would offer
 * @returns `undefined` for any other list: a runtime may have its own order, and Node may be started with another list
 */
export function orderCiphers(ciphers: string = nodeTls().DEFAULT_CIPHERS): string | undefined {
  if (traits.hasOwnCiphers || ciphers !== nodeCrypto().constants.defaultCoreCipherList) return undefined;
  return [FIRST, ...ciphers.split(":").filter((name) => name !== FIRST)].join(":");
}
