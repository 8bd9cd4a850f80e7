/**
 * Maps addresses in a target's response (`Location`, `Content-Location`, `Refresh`) to addresses on the proxy, so that
 * a caller that follows one keeps the selector.
 * @module
 */

import { type Address, encodeBytes, type Selector } from "./address.ts";
import { readLabel } from "./authority.ts";
import { encodeLabel } from "./label.ts";
import { isOwnPath } from "./reserved-paths.ts";
import { isInternational, parseUrl } from "./url.ts";

/** Where an address comes from and where the caller is. */
export interface AddressMapping {
  /** How the caller named the target. */
  selector: Selector;
  /** Scheme, host and port of the target. */
  origin: URL;
  /** The path of the target's base address without a trailing slash, `""` for none; always `""` for `url` and `arg`. */
  basePath: string;
  /** Where the target is on the proxy, behind the mount path; by `at` only. */
  place?: string | undefined;
  /** Absolute address of the request that was answered; relative references are resolved against it. */
  requestUrl: string;
  /** The origin of the proxy as the caller sees it. If it is not an origin, results are relative to it. */
  proxyOrigin: string;
  /** True if the target is told the caller's own host (rule 19.1): then it writes its own addresses with that. */
  isHeard: boolean;
  /** Where the proxy is mounted on that origin, `""` for the root. */
  mountPath: string;
  /** The domain of host labels, without port. */
  proxyDomain: string;
  /** Configured labels; they take precedence over labels that spell a host. */
  labels: ReadonlyMap<string, Pick<Address, "origin" | "path">>;
  /** True if the caller navigates to the result: a program, or a browser window; not an image on a page. */
  isFollowed: boolean;
}

/** The parameter of a host link that names where to continue after the host is set: path, query and fragment. */
export const THEN_PARAMETER = "then";

/** Delay and separator, an optional `url=`, an opening quote, the rest (HTML, "shared declarative refresh steps"). */
const REFRESH = /^([\t\f ]*[\d.]+(?:[\t\f ]*[;,]|[\t\f ])[\t\f ]*(?:url[\t\f ]*=[\t\f ]*)?)(["']?)(.*)$/is;

/**
 * Maps the value of `Location` or `Content-Location`.
 *
 * A value that is already correct stays: a relative reference without a base path, an address of the proxy, anything
 * that is not an address, or another scheme than `http` and `https`.
 * @see RFC 9110 §10.2.2, §8.7; rule 4.14
 */
export function mapLocation(value: string, mapping: AddressMapping): string {
  const { selector, origin, proxyOrigin, mountPath } = mapping;
  const url = resolveOwn(value, mapping);
  if (selector === "arg") return value;
  // A browser might read it as the proxy itself; with `url` the proxy refuses it and says why.
  if (!url) return isUnread(value, mapping) ? urlLink({ href: encodeBytes(value) }, mapping) : value;
  // No target may lead a caller to the proxy's own paths, because they can change the host.
  if (url.origin === readOrigin(proxyOrigin) || isOnLabel(url, mapping)) {
    const { place } = mapping;
    if (place !== undefined && url.pathname.startsWith(`${mountPath}${place}/`)) return value;
    if (isOwnPath(url.pathname, mountPath)) return reachHidden(url, mapping);
    // A target that knows the caller's Host does not know its place.
    const inside = place === undefined ? undefined : readPathInBase(url, mapping.basePath);
    return inside === undefined ? value : mountPath + place + inside;
  }
  if (selector === "url") return urlLink(url, mapping);
  const path = url.origin === origin.origin ? readPathInBase(url, mapping.basePath) : undefined;
  if (path === undefined) return mapForeign(value, url, mapping);
  if (mapping.place !== undefined) return mountPath + mapping.place + path;
  if (isOwnPath(mountPath + path, mountPath)) return reachHidden(url, mapping);
  const isSamePath = !mapping.basePath && !mountPath;
  return isSamePath && staysOnOrigin(value, proxyOrigin) ? value : referTo(mountPath + path, proxyOrigin);
}

/**
 * Maps the address in the value of `Refresh`; delay, separators, `url=` and quotes keep their spelling.
 *
 * @see HTML, document lifecycle, "The `Refresh` header"
 */
export function mapRefresh(value: string, mapping: AddressMapping): string {
  const [, start = "", quote = "", rest = ""] = REFRESH.exec(value) ?? [];
  const end = quote ? rest.indexOf(quote) : -1;
  const reference = end < 0 ? rest : rest.slice(0, end);
  if (!reference) return value;
  const mapped = mapLocation(reference, mapping);
  // A URL never holds `"`, but it may hold `'`, which would end the address early.
  const quotable = quote === "'" ? mapped.replaceAll("'", "%27") : mapped;
  return start + quote + quotable + (end < 0 ? "" : rest.slice(end));
}

/** True for a reference to the target: same origin, and inside the base path. */
export function isInsideTarget(reference: string, mapping: AddressMapping): boolean {
  const url = resolveOwn(reference, mapping);
  return url?.origin === mapping.origin.origin && readPathInBase(url, mapping.basePath) !== undefined;
}

/**
 * True for an address that a target means as its own if it is told the caller's host: with that host, by its own scheme or the
 * caller's; or with its own port, as nginx and Apache write it behind the name in Host.
 */
export function isOnCallersHost(
  { protocol, host, hostname, port }: URL,
  proxyOrigin: string,
  target: URL,
): boolean {
  const own = parseUrl(proxyOrigin);
  if (own === undefined || hostname !== own.hostname) return false;
  if (protocol === target.protocol) return host === own.host || port === target.port;
  return protocol === own.protocol && host === own.host;
}

/** Resolves a reference. What a target wrote on the caller's host becomes its own address, unless it names its place here. */
function resolveOwn(reference: string, mapping: AddressMapping): URL | undefined {
  const { requestUrl, proxyOrigin, origin, basePath, mountPath, place = "" } = mapping;
  const url = resolveReference(reference, requestUrl);
  if (!url || !mapping.isHeard || !isOnCallersHost(url, proxyOrigin, origin)) return url;
  if (url.pathname.startsWith(`${mountPath}${place}/`) && mountPath + place !== "") return url;
  const { href, origin: written } = dropCredentials(url);
  const own = new URL(origin.origin + href.slice(written.length));
  // A path outside of the base path is one of the proxy, if it is on its origin.
  return written === readOrigin(proxyOrigin) && readPathInBase(own, basePath) === undefined ? url : own;
}

/**
 * The link that sets the host and continues at a path: `/__proxy__/?host=…&then=…`, to be appended to the mount path.
 *
 * @param base the base address to store
 * @param path where to continue, from its `/` on, with query and fragment
 */
export function hostLink(base: string, path: string): string {
  return `/__proxy__/?host=${encodeURIComponent(base)}&${THEN_PARAMETER}=${encodeURIComponent(path)}`;
}

/** True for an address on another label. A target that knows the caller's Host may have written it. */
function isOnLabel({ protocol, hostname, port }: URL, mapping: AddressMapping): boolean {
  const own = mapping.selector === "label" ? parseUrl(mapping.proxyOrigin) : undefined;
  if (!own) return false;
  const isSide = protocol === own.protocol && port === own.port;
  return isSide && readLabel(hostname, mapping.proxyDomain) !== undefined;
}

/** A reference to a path on the proxy. `//evil.test` would be another host, so it becomes an absolute address. */
function referTo(path: string, proxyOrigin: string): string {
  if (!path.startsWith("//")) return path;
  // URL parsers drop `/.`, and the rest stays a path (URL §4.5 serialises such paths this way).
  return (readOrigin(proxyOrigin) ?? "/.") + path;
}

/** Maps an address of another origin, or outside the base path. Credentials never go into a label or a link. */
function mapForeign(value: string, url: URL, mapping: AddressMapping): string {
  const { selector, mountPath } = mapping;
  if (selector === "at") return urlLink(url, mapping);
  if (selector === "cookie") {
    // The whole browser shares the host, so an image on a page must not change it.
    if (!mapping.isFollowed) return reachHidden(url, mapping);
    const path = readPathInBase(url, "") ?? "/";
    const isHidden = isOwnPath(mountPath + path, mountPath);
    return isHidden ? reachHidden(url, mapping) : mountPath + hostLink(url.origin, path);
  }
  const mapped = selector === "label" ? labelAddress(url, mapping) : undefined;
  return mapped ?? writeAbsolute(value, url);
}

/** The address on the host label of its origin; `undefined` if the origin has no label. */
function labelAddress(url: URL, mapping: AddressMapping): string | undefined {
  const { proxyOrigin, proxyDomain, mountPath, labels } = mapping;
  const own = parseUrl(proxyOrigin);
  if (!own) return undefined;
  const { protocol, port } = own;
  const write = (label: string, path: string) =>
    isOwnPath(mountPath + path, mountPath)
      ? reachHidden(url, mapping)
      : `${protocol}//${label}.w.${proxyDomain}${port && `:${port}`}${mountPath}${path}`;
  for (const [label, base] of labels) {
    const path = base.origin.origin === url.origin ? readPathInBase(url, base.path) : undefined;
    if (path !== undefined) return write(label, path);
  }
  try {
    const label = encodeLabel(url.origin);
    return labels.has(label) ? undefined : write(label, readPathInBase(url, "") ?? "/");
  } catch {
    return undefined;
  }
}

/** The proxy's own paths hide a target's paths of the same name, also on every label: only `url` reaches those. */
function reachHidden(url: URL, mapping: AddressMapping): string {
  return urlLink(dropCredentials(url), mapping);
}

/** The link with `url`. The fragment stays outside the parameter, so that a browser scrolls to it. */
function urlLink({ href }: Pick<URL, "href">, { proxyOrigin, mountPath }: AddressMapping): string {
  const [address = "", fragment] = href.split(/#(.*)/s, 2);
  const link = `${readOrigin(proxyOrigin) ?? ""}${mountPath}/__proxy__/?url=${encodeURIComponent(address)}`;
  return fragment === undefined ? link : `${link}#${fragment}`;
}

/** The address as the target wrote it, if it is absolute everywhere: `http:x` is relative on a page with scheme `http:`. */
function writeAbsolute(value: string, { href }: URL): string {
  return /^https?:\/\//i.test(value) ? value : href;
}

/** Path, query and fragment (empty ones too) without the base path; `undefined` when it is outside the base path. */
function readPathInBase(url: URL, basePath: string): string | undefined {
  if (url.pathname !== basePath && !url.pathname.startsWith(`${basePath}/`)) return undefined;
  const plain = dropCredentials(url);
  const path = plain.href.slice(plain.origin.length + basePath.length);
  return path.startsWith("/") ? path : `/${path}`;
}

/** The absolute address of a reference; `undefined` when there is none or its scheme is not `http` or `https`. */
function resolveReference(value: string, base: string): URL | undefined {
  const from = parseUrl(base);
  // A relative reference inherits the credentials of its base, which must not appear in a response.
  const url = value && from ? parseUrl(encodeBytes(value), dropCredentials(from)) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** True for an address with a host beyond ASCII that is not a valid name here. */
function isUnread(value: string, { requestUrl }: AddressMapping): boolean {
  return isInternational(value) && parseUrl(encodeBytes(value), requestUrl) === undefined;
}

function dropCredentials(address: string | URL): URL {
  const plain = new URL(address);
  plain.username = plain.password = "";
  return plain;
}

/** True for a reference without a scheme and host of its own, however it is disguised (`/\`, tabs, dot segments). */
function staysOnOrigin(reference: string, origin: string): boolean {
  const url = resolveReference(reference, origin);
  return url !== undefined && url.origin === readOrigin(origin);
}

function readOrigin(address: string): string | undefined {
  return parseUrl(address)?.origin;
}
