/**
 * TLS to a target as its entry in the table says: authorities, pins, a client certificate, another name
 * (rule 12.1), the oldest version (rule 12.4).
 * @module
 */

import { constants } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import tls, {
  type ConnectionOptions as TlsOptions,
  type SecureContext,
  type SecureContextOptions,
  type TLSSocket,
} from "node:tls";
import type { TargetTls } from "../../core/address/route.ts";
import type { ConnectionOptions } from "../client/connection-options.ts";
import { orderCiphers } from "./ciphers.ts";
import { connectPausable } from "./pausable-tls.ts";
import { pinOf } from "./pin.ts";
import { followSocket, resume } from "./resumption.ts";

/** A function of `node:tls` that Node 20 lacks. */
interface Authorities {
  getCACertificates?(which: "default"): readonly string[];
}

const ciphers = orderCiphers();
/**
 * What OpenSSL, in Node, asks of a target beside its version: keys and digests (level 1 leaves SHA-1 out, which TLS below 1.2
 * signs with), and secure renegotiation (RFC 5746). BoringSSL, in Bun, asks for neither.
 */
const LENIENT: SecureContextOptions = "bun" in process.versions || "deno" in process.versions ? {} : {
  ciphers: `${ciphers ?? tls.DEFAULT_CIPHERS}:@SECLEVEL=0`,
  secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
};
const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
/** What connections with the same options have in common. */
const common = new WeakMap<ConnectionOptions, TlsOptions>();
/** One for each entry: reading all authorities takes milliseconds. */
const contexts = new WeakMap<TargetTls, SecureContext>();
/** Shared by every target without its own authorities; building one for each connection takes a tenth of the time to connect. */
let usualContext: SecureContext | undefined;
let usual: readonly string[] | undefined;

/** Options for `tls.connect`, with those of the entry. */
export interface SecureOptions extends TlsOptions {
  /** The connection to wrap, where it goes through a tunnel. */
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

/** Only what Node reads, because it copies all of it twice. */
function commonOf({ host, port, servername, lookup, addresses, route }: ConnectionOptions): TlsOptions {
  const [address, another] = addresses ?? [];
  return {
    port,
    // To look up a single address takes a turn.
    ...(address && !another ? { host: address } : { host, lookup }),
    servername,
    ALPNProtocols: ["http/1.1"],
    ...optionsOf(route?.tls),
  };
}

/**
 * Connects with TLS, and calls back when the connection can be written to. One whose key is not pinned is destroyed
 * instead, before a byte of the request. It resumes a session of an earlier one, and sends nothing early (RFC 8446 §2.3).
 *
 * @throws {Error} with the code `CERT_UNUSABLE` if the entry's own certificates can't be read
 */
export function connectTrusted(
  options: ConnectionOptions,
  onOpen: () => void,
  more?: SecureOptions,
): TLSSocket {
  const pins = options.route?.tls?.pin;
  const resumption = resume(options);
  const session = resumption?.session;
  const socket = connectTls(options, session ? { ...more, session } : more);
  if (resumption) followSocket(socket, resumption);
  socket.once("secureConnect", () => {
    if (pins && !isPinned(socket, pins)) {
      socket.destroy(Object.assign(new Error("no pin fits"), { code: "CERT_PIN_MISMATCH" }));
    } else onOpen();
  });
  return socket;
}

function isPinned(socket: TLSSocket, pins: readonly string[]): boolean {
  const certificate = socket.getPeerX509Certificate();
  const pin = certificate && pinOf(certificate);
  return pin !== undefined && pins.includes(pin);
}

function optionsOf(entry: TargetTls | undefined): TlsOptions {
  if (!entry) return { secureContext: shareUsual() };
  const { ca, cert, minVersion, serverName, insecure } = entry;
  return {
    ...(serverName && { servername: serverName }),
    secureContext: ca || cert || minVersion ? contextOf(entry) : shareUsual(),
    // Asked for by the entry of this one target; its pins are still compared.
    ...(insecure && { rejectUnauthorized: false }),
  };
}

function shareUsual(): SecureContext {
  return usualContext ??= tls.createSecureContext(ciphers ? { ciphers } : {});
}

function contextOf(entry: TargetTls): SecureContext {
  const known = contexts.get(entry);
  if (known) return known;
  const { ca, cert, key, minVersion } = entry;
  const isOld = minVersion === "TLSv1" || minVersion === "TLSv1.1";
  try {
    const context = tls.createSecureContext({
      ...(ciphers && { ciphers }),
      ...(minVersion && { minVersion }),
      ...(isOld && LENIENT),
      ...(ca && { ca: [...listUsual(), ...ca.match(CERTIFICATES) ?? []] }),
      ...(cert && { cert, key }),
    });
    contexts.set(entry, context);
    return context;
  } catch (cause) {
    throw Object.assign(new Error("unusable certificates", { cause }), { code: "CERT_UNUSABLE" });
  }
}

/** The authorities that are trusted without an entry, those of NODE_EXTRA_CA_CERTS among them. */
function listUsual(): readonly string[] {
  const { getCACertificates } = tls as Authorities;
  usual ??= getCACertificates?.("default") ?? [...tls.rootCertificates, ...readExtra()];
  return usual;
}

function readExtra(): readonly string[] {
  const file = process.env["NODE_EXTRA_CA_CERTS"];
  if (!file) return [];
  try {
    return readFileSync(file, "utf8").match(CERTIFICATES) ?? [];
  } catch {
    // The runtime has warned of it.
    return [];
  }
}
