/**
 * The forms in which other proxies take an address: one pure function each, from path and query to the address.
 * Loaded only where the settings ask for a form.
 * @module
 */

import { decodePercent } from "../../core/http/text.ts";
import { ADDRESS_FORMS, type AddressForm } from "../../core/address/address.ts";
import { isRawAddress, readAddressParameter, readParameter, readQuery } from "../../core/address/query.ts";

/** An address as its caller wrote it. */
export interface WrittenAddress {
  readonly form: AddressForm;
  /** Not checked: it may turn out to be no valid address. */
  readonly address: string;
}

const READERS: { readonly [F in AddressForm]: (path: string) => string | undefined } = {
  "git": readGit,
  "scalar": readScalar,
  "corsproxy": readCorsproxy,
  "cors-anywhere": readCorsAnywhere,
};

const SCHEME = /^(https?|wss?):\/\/?(?=[^/])/i;
const ANY_SCHEME = /^(?:https?|wss?):/i;
const ENCODED_SCHEME = /^(?:https?|wss?)%3a/i;
const AUTHORITY = /^(\[[\da-f:.]*\]|[^:[\]]*)(?::(\d{0,5}))?$/i;
const IPV4 = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;
const NAME_PART = /^[\w-]+$/;
/** Endings of files that browsers and crawlers request from every site. None of them is a top-level domain. */
const FILE = /^(?:css|gif|html?|ico|jpe?g|js|json|map|mjs|php|png|svg|txt|webmanifest|webp|woff2?|xml)$/i;
const GIT_SERVICE = /^git-(?:upload|receive)-pack$/;

/**
 * Reads the address in a path, in the first of the given forms that fits.
 *
 * @param path path and query as sent, from the `/` on, without the mount path
 * @returns `undefined` for a path in none of these forms
 */
export function readForm(path: string, forms: readonly AddressForm[]): WrittenAddress | undefined {
  for (const form of ADDRESS_FORMS) {
    const address = forms.includes(form) ? READERS[form](path) : undefined;
    if (address !== undefined) return { form, address };
  }
  return undefined;
}

/**
 * Reads `/https://a.test/x`, `/a.test/x` (http) and `/a.test:443/x` (https), byte for byte. Servers in front may have
 * joined two slashes, so one is enough.
 *
 * @returns `undefined` for a path that begins with no host
 * @see https://github.com/Rob--W/cors-anywhere
 */
export function readCorsAnywhere(path: string): string | undefined {
  const written = path.slice(1);
  const [prefix, scheme] = SCHEME.exec(written) ?? [];
  if (prefix !== undefined) return `${scheme}://${written.slice(prefix.length)}`;
  if (ANY_SCHEME.test(written)) return written;
  const place = readPlace(written.replace(/^\/\//, ""));
  if (!place || (!place.port && isFile(place.host))) return undefined;
  return `${place.port === ":443" ? "https" : "http"}://${place.host}${place.port}${place.rest}`;
}

/**
 * Reads `/?https://a.test/x` and `/?url=…`. A raw address takes the whole query, byte for byte. An encoded one is
 * decoded once. `url` means the same as at `/__proxy__/`.
 *
 * @see https://corsproxy.io/docs/how-to-use/
 */
export function readCorsproxy(path: string): string | undefined {
  if (!path.startsWith("/?")) return undefined;
  const query = readQuery(path);
  if (ANY_SCHEME.test(query)) return query;
  if (ENCODED_SCHEME.test(query)) return decodePercent(query) ?? query;
  const address = readAddressParameter(query);
  return address === null ? query : address;
}

/**
 * Reads `/?scalar_url=…`. Its client encodes the parameter as forms do, where `+` is a space. Sent raw, it is read as
 * `url` is.
 *
 * @see https://github.com/scalar/scalar (`redirectToProxy`)
 */
export function readScalar(path: string): string | undefined {
  if (!path.startsWith("/?")) return undefined;
  const value = readParameter(readQuery(path), "scalar_url", "scalar_url");
  if (value === undefined || isRawAddress(value)) return value;
  return decodePercent(value.replaceAll("+", "%20")) ?? value;
}

/**
 * Reads `/github.com/o/r.git/info/refs?service=git-upload-pack`, as git clients in pages write it. The scheme is `https`,
 * but `http` for `localhost` and IPv4 addresses, as in host labels.
 *
 * @returns `undefined` for every path but those that git clients request
 * @see https://github.com/isomorphic-git/cors-proxy, https://git-scm.com/docs/http-protocol
 */
export function readGit(path: string): string | undefined {
  const [pathname = ""] = path.split("?", 1);
  const isReference = pathname.endsWith("/info/refs") &&
    GIT_SERVICE.test(readParameter(readQuery(path), "service") ?? "");
  if (!isReference && !GIT_SERVICE.test(pathname.slice(pathname.lastIndexOf("/") + 1))) return undefined;
  const place = readPlace(path.slice(1));
  if (!place) return undefined;
  const isPlain = IPV4.test(place.host) || /(?:^|\.)localhost$/i.test(place.host);
  return `${isPlain ? "http" : "https"}://${place.host}${place.port}${place.rest}`;
}

/** The parts of an address without a scheme. */
interface Place {
  host: string;
  /** With its colon; `""` for none. */
  port: string;
  rest: string;
}

function readPlace(text: string): Place | undefined {
  const end = text.search(/[/?]/);
  const authority = end < 0 ? text : text.slice(0, end);
  const [, host = "", port] = AUTHORITY.exec(authority) ?? [];
  if (!isHost(host)) return undefined;
  return { host, port: port ? `:${port}` : "", rest: end < 0 ? "" : text.slice(end) };
}

/** True for a name with a top-level domain, for `localhost`, and for IP addresses. Other names need a scheme. */
function isHost(host: string): boolean {
  if (host.startsWith("[") || IPV4.test(host)) return true;
  const parts = host.replace(/\.$/, "").split(".");
  const last = parts.at(-1) ?? "";
  if (!parts.every((part) => NAME_PART.test(part))) return false;
  return last.toLowerCase() === "localhost" || (parts.length > 1 && last.length > 1 && /\D/.test(last));
}

/** True for a name such as `favicon.ico`, which is requested from every site. */
function isFile(host: string): boolean {
  return FILE.test(host.slice(host.lastIndexOf(".") + 1));
}
