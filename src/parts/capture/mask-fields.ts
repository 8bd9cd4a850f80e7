/**
 * Masks secrets in header fields.
 * @module
 */

import { decodeBase64, encodeArg, isObject } from "../../core/address/arg.ts";
import { replaceSecretRuns } from "../../core/address/secret-runs.ts";
import { decodeHead, encodeHead } from "../../core/address/sealed-head.ts";
import type { Capture, CapturedHop, CapturedRequest, CapturedResponse, FieldLine } from "./capture.ts";
import { maskAddress, maskTokens } from "./mask-address.ts";
import type { Masker } from "./masker.ts";
import { isSecretField, isSecretName } from "../../core/address/secret-names.ts";

/** Fields that hold one address. */
const ADDRESSES: ReadonlySet<string> = new Set([
  "location",
  "content-location",
  "referer",
  "x-final-url",
  "proxy_host",
  "proxy-host",
  "destination",
]);
/** Authentication schemes (IANA), and other common ones. Any other first word of a value may be the secret itself. */
const SCHEMES =
  /^(basic|bearer|concealed|digest|dpop|gnap|hoba|mutual|negotiate|ntlm|oauth|privatetoken|scram-sha-(?:1|256)|vapid|token|apikey|api-key|key|hawk|aws4-hmac-sha256|sso-key|bot|client-cert) +(\S.*)$/is;
/** Attributes of `Set-Cookie` (RFC 6265bis §4.1.1, and two newer ones). */
const ATTRIBUTES =
  /^\s*(?:expires|max-age|domain|path|secure|httponly|samesite|partitioned|priority)\s*(?:=|$)/i;
/** Maximum parts masked one by one, above the cookies that browsers keep per host: each takes a digest, which is slow. */
const MOST_PARTS = 500;
/** A piece of other text, and the sign that it may be an address. */
const PIECE = /[^\s<>"'`]+/g;
const ADDRESS = /:\/\/|^\/|[?#][^=?#]*=/;
/** A parameter among others, linear in the text. What begins with a bracket is a list, as of `Permissions-Policy`. */
const PAIR = /(?<![\w.-])([\w.-]{1,64})[\t ]{0,4}=[\t ]{0,4}("[^"]*"?|[^\s;,&"(][^\s;,&"]*)/g;

/** A request with the secrets in its head and trailers masked. */
export function maskRequest({ url, ...head }: CapturedRequest, masker: Masker): CapturedRequest {
  return { ...maskBoth(head, masker), url: maskAddress(url, masker) };
}

/** A response with the secrets in its head and trailers masked. */
export function maskResponse<Head extends CapturedResponse>(head: Head, masker: Masker): Head {
  return maskBoth(head, masker);
}

function maskBoth<Head extends Pick<CapturedRequest, "headers" | "trailers">>(
  head: Head,
  masker: Masker,
): Head {
  const { headers, trailers } = head;
  return {
    ...head,
    headers: maskLines(headers, masker),
    ...(trailers && { trailers: maskLines(trailers, masker) }),
  };
}

/** A capture with the secrets in all of its heads masked. */
export function maskCapture(capture: Capture, masker: Masker): Capture {
  return { ...maskSide(capture, masker), hops: capture.hops.map((hop) => maskSide(hop, masker)) };
}

/** Masks the heads on one side of the proxy: towards the caller, or towards a target. */
function maskSide<Side extends Pick<CapturedHop, "request" | "interims" | "response">>(
  side: Side,
  masker: Masker,
): Side {
  const { request, interims, response } = side;
  return {
    ...side,
    request: maskRequest(request, masker),
    ...(interims && { interims: interims.map((interim) => maskResponse(interim, masker)) }),
    ...(response && { response: maskResponse(response, masker) }),
  };
}

/** Fields with their secrets masked. */
export function maskLines(lines: readonly FieldLine[], masker: Masker): FieldLine[] {
  return lines.map(([name, value]) => [name, maskField(name.toLowerCase(), value, masker)]);
}

/** The value of a field with its secrets masked. Takes the lower-case name. */
export function maskField(name: string, value: string, masker: Masker): string {
  switch (name) {
    case "authorization":
    case "proxy-authorization":
      return maskCredentials(value, masker);
    case "cookie":
      return maskParts(value, masker, maskCookie);
    case "set-cookie":
      return maskSetCookie(value, masker);
    case "proxy_headers":
    case "proxy-headers":
      return maskOverrides(value, masker);
    case "x-cors-headers":
    case "x-corsfix-headers":
      return maskJson(value, masker) ?? masker.hide(value);
    case "sec-websocket-protocol":
      return maskProtocols(value, masker);
    case "x-fetchvia-head":
      return maskHead(value, masker);
  }
  if (isSecretField(name)) return masker.hide(value);
  if (ADDRESSES.has(name)) return maskAddress(value, masker);
  return maskPairs(maskText(value, masker), masker);
}

/** Masks the values of `a=1; token=…` that are no masks. After the first `MOST_PARTS` without a digest. */
function maskPairs(value: string, masker: Masker): string {
  let left = MOST_PARTS;
  return value.replace(PAIR, (pair, name: string, secret: string) => {
    if (secret.startsWith("***") || !isSecretName(name)) return pair;
    return pair.slice(0, -secret.length) + (left-- > 0 ? masker.hideInAddress(secret) : "***");
  });
}

function maskCredentials(value: string, masker: Masker): string {
  const [, scheme, secret] = SCHEMES.exec(value) ?? [];
  return scheme && secret ? `${scheme} ${masker.hide(secret)}` : masker.hide(value);
}

/** The name stays; a cookie without a name is masked whole (RFC 6265bis §5.7). */
function maskCookie(pair: string, masker: Masker): string {
  const [, blanks = "", rest = ""] = /^(\s*)(.*)$/s.exec(pair) ?? [];
  const cut = rest.indexOf("=");
  return blanks + rest.slice(0, cut + 1) + masker.hide(rest.slice(cut + 1));
}

function maskSetCookie(line: string, masker: Masker): string {
  return maskParts(line, masker, (part, by, index) => {
    return index > 0 && ATTRIBUTES.test(part) ? maskText(part, by) : maskCookie(part, by);
  });
}

/** Scripts can set no header of a handshake, so some services take the key in a protocol: `openai-insecure-api-key.sk-…`. */
function maskProtocols(value: string, masker: Masker): string {
  let before = "";
  const mask = (part: string, by: Masker): string => {
    const [, blanks = "", start = "", rest = ""] = /^(\s*)([^.]*(?:\.bearer)?\.)?(.*)$/is.exec(part) ?? [];
    const isSecret = isSecretName(before) || isSecretName(start.slice(0, -1));
    before = start === "" ? rest.trim() : "";
    if (isSecret) return blanks + start + by.hide(rest);
    return replaceSecretRuns(maskTokens(part, by), (run) => by.hide(run));
  };
  return maskParts(value, masker, mask, ",");
}

/** Masks each part between separators; everything after the first `MOST_PARTS` is masked as one. */
function maskParts(
  value: string,
  masker: Masker,
  mask: (part: string, masker: Masker, index: number) => string,
  separator = ";",
): string {
  const parts = value.split(separator);
  const rest = parts.splice(MOST_PARTS).join(separator);
  return [...parts.map((part, index) => mask(part, masker, index)), ...(rest ? [masker.hide(rest)] : [])]
    .join(separator);
}

/** `proxy_headers`: the Base64 of fields as JSON. */
function maskOverrides(value: string, masker: Masker): string {
  const bytes = decodeBase64(value);
  const fields = bytes && readFields(new TextDecoder().decode(bytes), masker);
  return fields ? encodeArg(fields) : masker.hide(value);
}

function maskJson(text: string, masker: Masker): string | undefined {
  const fields = readFields(text, masker);
  return fields && JSON.stringify(fields);
}

/** The fields in JSON with their values masked; `undefined` for anything else. */
function readFields(text: string, masker: Masker): Record<string, unknown> | undefined {
  try {
    const fields: unknown = JSON.parse(text);
    if (!isObject(fields)) return undefined;
    const masked = Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" ? maskField(name.toLowerCase(), value, masker) : null,
    ]);
    return Object.fromEntries(masked) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** The head in a sealed response. */
function maskHead(value: string, masker: Masker): string {
  const head = decodeHead(value);
  return head ? encodeHead({ ...head, headers: maskLines(head.headers, masker) }) : masker.hide(value);
}

/** Masks tokens, members of JSON and addresses in any text. */
export function maskText(value: string, masker: Masker): string {
  const plain = maskTokens(value, masker);
  return plain.replace(PIECE, (piece) => (ADDRESS.test(piece) ? maskAddress(piece, masker) : piece));
}
