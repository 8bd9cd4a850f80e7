/**
 * Encodes the base address of a target as one DNS label, and decodes it.
 *
 * A label is `[flag-]host[-port]`: `.` is written `-`, and `-` is written `--`. The parts of a host neither start
 * nor end with a hyphen, so a single hyphen is always a dot, an even run is hyphens and a longer odd run means nothing.
 * No name ends in an all-digit part (the URL parser takes it for an IPv4 address), so one at the end is a port.
 * @module
 */

/** The longest DNS label, in characters (RFC 1035 §2.3.4). */
const MAX_LABEL_LENGTH = 63;
const MAX_PORT = 65_535;

/** A DNS label in any case; without the `u` flag `i` folds ASCII only, so no other letter becomes one of these. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

/** A host name as RFC 1123 §2.1 has it, and IPv4 too: no `_`, no trailing dot, no hyphen beside a dot. */
const HOST = /^[a-z0-9]+(?:(?:-+|\.)[a-z0-9]+)*$/;

/** An IPv4 address in the spelling of the URL parser; a number out of range never gets through that parser. */
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;

/** The scheme flag and what follows it. */
const FLAGGED = /^([sh])-(.+)$/;

/** Host and port, once hyphens are dots again: the first four all-digit parts are one address, not a port. */
const HOST_AND_PORT = /^(\d+\.\d+\.\d+\.\d+|.+?)(?:\.(\d+))?$/;

/** What a label may start with only if it is flagged: a flag, and the prefix of an internationalised name. */
const NEEDS_FLAG = /^(?:[sh]-|xn--)/;

/**
 * Encodes a base address as a label: `https://my-site.example.com:8443` → `my--site-example-com-8443`. International
 * names go in as Unicode or as `xn--`; the label is lower-case, and valid as a DNS label by itself.
 *
 * It ignores configured labels (`PROXY_LABELS`), which take precedence.
 * @throws {TypeError} when the target is no absolute `http:` or `https:` address.
 * @throws {RangeError} when the host does not fit a label: longer than 63 characters, IPv6, port 0, a character that
 * is no letter, digit or inner hyphen, a trailing dot; or when there is a user, path, query or fragment.
 * @example
 * ```ts
 * encodeLabel("https://example.com"); // example-com
 * ```
 */
export function encodeLabel(target: string | URL): string {
  const url = typeof target === "string" ? parseAddress(target) : target;
  const { protocol, hostname, port } = url;
  if (protocol !== "http:" && protocol !== "https:") {
    throw new TypeError("Cannot encode label: the scheme is not supported, expected http or https");
  }
  // The whole address is compared: `search` and `hash` are empty for a bare `?` and `#`, which are refused too.
  if (url.href !== `${url.origin}/`) throw unfit("no user, path, query or fragment");
  if (!HOST.test(hostname)) throw unfit("an IPv4 address or a name of letters, digits and inner hyphens");
  if (port === "0") throw unfit("a port from 1 to 65535");

  const host = hostname.replaceAll("-", "--").replaceAll(".", "-");
  const plain = port === "" ? host : `${host}-${port}`;
  const isFlagged = protocol !== `${defaultScheme(hostname)}:` || NEEDS_FLAG.test(plain);
  const label = isFlagged ? `${protocol === "https:" ? "s" : "h"}-${plain}` : plain;
  if (label.length > MAX_LABEL_LENGTH) {
    throw unfit(`at most ${MAX_LABEL_LENGTH} characters, not ${label.length}`);
  }
  return label;
}

/**
 * Gives the base address of a label, without a trailing slash: `127-0-0-1-3000` → `http://127.0.0.1:3000`.
 * Case is ignored. `undefined` when it is not the label that `encodeLabel` gives for that address, so that every
 * target has exactly one label and with it one origin in a browser.
 * @example
 * ```ts
 * decodeLabel("example-com"); // https://example.com
 * decodeLabel("example--"); // undefined
 * ```
 */
export function decodeLabel(label: string): string | undefined {
  if (label.length > MAX_LABEL_LENGTH || !LABEL.test(label)) return undefined;
  try {
    const url = new URL(spellOut(label));
    return encodeLabel(url) === label.toLowerCase() ? url.origin : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What is wrong with a label that `decodeLabel` refused, as a predicate such as `is longer than 63 characters`.
 */
export function findLabelFault(label: string): string {
  if (label.length > MAX_LABEL_LENGTH) return `is longer than ${MAX_LABEL_LENGTH} characters`;
  if (!LABEL.test(label)) return "has more than letters, digits and inner hyphens";
  const base = spellOut(label);
  const port = /:(\d+)$/.exec(base)?.[1];
  if (port && (Number(port) < 1 || Number(port) > MAX_PORT)) return `has a port outside 1 to ${MAX_PORT}`;
  try {
    return `is another spelling of ${encodeLabel(base)}`;
  } catch {
    return "does not decode to a host";
  }
}

/** The base address that a label spells, without a check that it is valid. */
function spellOut(label: string): string {
  const lowered = label.toLowerCase();
  const [, flag, unflagged] = FLAGGED.exec(lowered) ?? [];
  const dotted = (unflagged ?? lowered).replace(/--?/g, (run) => run === "-" ? "." : "-");
  const [, host = "", port] = HOST_AND_PORT.exec(dotted) ?? [];
  const scheme = flag === undefined ? defaultScheme(host) : flag === "s" ? "https" : "http";
  return `${scheme}://${host}${port === undefined ? "" : `:${port}`}`;
}

/** The scheme of a label without a flag. */
function defaultScheme(host: string): "http" | "https" {
  return host === "localhost" || IPV4.test(host) ? "http" : "https";
}

function parseAddress(address: string): URL {
  try {
    return new URL(address);
  } catch (cause) {
    throw new TypeError(
      "Cannot encode label: the address is malformed, expected an absolute http or https address",
      {
        cause,
      },
    );
  }
}

function unfit(expected: string): RangeError {
  return new RangeError(`Cannot encode label: the host does not fit a label, expected ${expected}`);
}
