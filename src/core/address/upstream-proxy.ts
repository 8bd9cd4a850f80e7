/**
 * The proxy that connections to targets go through, and how its address is written.
 * @module
 */

import { decodePercent, encodeUtf8 } from "../http/text.ts";
import { parseUrl } from "./url.ts";

/** How a proxy is asked for a tunnel: by CONNECT over TCP or TLS (RFC 9110 §9.3.6), or by SOCKS 5 (RFC 1928). */
export type UpstreamKind = "http" | "https" | "socks5";

/** User name and password, decoded. */
export interface UpstreamLogin {
  readonly username: string;
  readonly password: string;
}

const DEFAULT_PORTS: Readonly<Record<UpstreamKind, number>> = { http: 80, https: 443, socks5: 1080 };
/** Scheme, user information, host and port; nothing after them but a slash. */
const ADDRESS =
  /^(https?|socks5):\/\/(?:([^\/?#\\\s]*)@)?(\[[\da-f:.]+\]|[^:@\/?#\\\s[\]]+)(?::(\d{1,5}))?\/?$/i;
const CONTROLS = /\p{Cc}/u;
/** The length of a user name and of a password takes one byte (RFC 1929 §2). */
const MAX_SOCKS_BYTES = 255;

/** A proxy between this one and its targets. No text form of this object shows the credentials. */
export class UpstreamProxy {
  readonly kind: UpstreamKind;
  /** A name, or an IP address without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** Host and port for messages. */
  readonly host: string;
  readonly #login: UpstreamLogin | undefined;

  constructor(kind: UpstreamKind, hostname: string, port: number, login?: UpstreamLogin) {
    this.kind = kind;
    this.hostname = hostname.replace(/^\[(.*)\]$/, "$1");
    this.port = port;
    this.host = `${hostname}:${port}`;
    this.#login = login;
  }

  /** The credentials for the proxy; `undefined` for none. */
  get login(): UpstreamLogin | undefined {
    return this.#login;
  }
}

/**
 * Parses the address of a proxy: `http`, `https` or `socks5`, a host, and optionally credentials and a port (80, 443 and
 * 1080 by default). Credentials are percent-decoded.
 *
 * @returns `undefined` when it is not one, or its credentials can't be sent
 */
export function decodeUpstreamProxy(text: string): UpstreamProxy | undefined {
  const [, scheme = "", userInfo, written = "", digits] = ADDRESS.exec(text) ?? [];
  const url = scheme ? parseUrl(`http://${written}`) : undefined;
  if (!url) return undefined;
  const kind = scheme.toLowerCase() as UpstreamKind;
  const port = digits === undefined ? DEFAULT_PORTS[kind] : Number(digits);
  const login = userInfo === undefined ? undefined : decodeLogin(userInfo);
  const isUsable = userInfo === undefined || (login && isSendable(login, kind));
  if (!isUsable || port < 1 || port > 65_535) return undefined;
  return new UpstreamProxy(kind, url.hostname, port, login);
}

function decodeLogin(userInfo: string): UpstreamLogin | undefined {
  const cut = userInfo.indexOf(":");
  const parts = cut < 0 ? [userInfo, ""] : [userInfo.slice(0, cut), userInfo.slice(cut + 1)];
  const [username, password] = parts.map(decodePercent);
  return username === undefined || password === undefined ? undefined : { username, password };
}

/** A colon ends a user name (RFC 7617 §2). */
function isSendable({ username, password }: UpstreamLogin, kind: UpstreamKind): boolean {
  if (CONTROLS.test(username + password)) return false;
  if (kind !== "socks5") return !username.includes(":");
  const fits = (text: string) => encodeUtf8(text).length <= MAX_SOCKS_BYTES;
  return username !== "" && fits(username) && fits(password);
}
