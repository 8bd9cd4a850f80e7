/**
 * Writes a request as a `curl` command that does the same as the console.
 * @module
 */

import { encodeArg } from "../../core/address/arg.ts";
import type { FetchArgument } from "../../client/client.ts";
import type { Draft } from "../builder/draft.ts";
import { writeBody } from "../builder/fetch-argument.ts";
import type { ReadyRequest } from "../builder/compose-request.ts";
import { hasField } from "../page/format.ts";
import type { NamedProxy } from "../page/own-requests.ts";
import { joinLines, quote, quoteWord, writeCurl as writeCommand, writeField } from "./languages/shell.ts";
import type { PlainRequest } from "./languages/request-parts.ts";
import { isCarried, TOKEN } from "./languages/through-proxy.ts";
import { decodeAddress } from "../../core/address/address.ts";
import { isReserved } from "../../core/address/reserved-paths.ts";

/** Characters that shells send as UTF-8, and `arg` as one byte or not at all. */
const BEYOND_ASCII = /[^\t\x20-\x7e]/;
/** A media type alone: behind a semicolon curl reads what else to do with the file. */
const TYPE = /^[\w.+-]+\/[\w.+-]+$/;

/**
 * Writes the command with `?url=`, or with the header `proxy_host` if redirects must not be followed. It uses `arg` if
 * those would send a different request.
 */
export function writeCurl(
  argument: FetchArgument,
  { base, needsToken }: NamedProxy,
): { text: string; note?: string } {
  const { url, method = "GET", redirect } = argument;
  const lines = needsToken ? [TOKEN] : [];
  if (!isPlain(argument)) {
    const link = `${base}/__proxy__/fetch?arg=${encodeArg(argument)}`;
    const asked = { method: method === "HEAD" ? "HEAD" : "GET", url: link, headers: [] };
    return { text: writeCommand(asked, lines, []) };
  }
  const isDirect = redirect === "manual";
  const { headers, text: body } = writeBody(argument);
  const steering: PlainRequest["headers"] = isDirect ? [["proxy_host", new URL(url).origin]] : [];
  const request = {
    method,
    url: isDirect ? base + pathOf(url) : linkTo(url, base),
    headers: [...steering, ...Object.entries(headers)],
    body,
  };
  return {
    text: writeCommand(request, lines, []),
    ...(!isDirect && !isSafe(method) && { note: "Does not follow redirects" }),
  };
}

/** Writes the command for a body with files, which curl reads from disk. It writes a boundary of its own. */
export function writeFileCurl(
  { method, url, headers, files = {} }: ReadyRequest,
  { base, needsToken }: NamedProxy,
): { text: string; note: string } {
  const { fields = [], file } = files;
  const isForm = file === undefined;
  const lines = headers
    .filter(([name]) => !(isForm && name.toLowerCase() === "content-type"))
    .map(writeField);
  const isTyped = isForm || hasField(headers, "content-type");
  // curl reads what stands behind the first sign as the value: a name such as `a=@b` would send a file.
  if (isForm && fields.some(({ name }) => name.includes("="))) {
    return { text: "", note: "curl can't write a part whose name has an =" };
  }
  const parts = isForm ? fields.map(writePart) : [`--data-binary ${quote(`@${writePath(file.name)}`)}`];
  return {
    text: joinLines([
      `curl ${method === "POST" ? "" : `-X ${quoteWord(method)} `}${quote(linkTo(url, base))}`,
      needsToken && TOKEN,
      ...lines,
      !isTyped && "-H 'content-type:'",
      ...parts,
    ]),
    note: "Reads the file from the folder where it runs, and does not follow redirects",
  };
}

function writePart({ name, value, file }: NonNullable<Draft["fields"]>[number]): string {
  if (!file) return `--form-string ${quote(`${name}=${value}`)}`;
  const type = TYPE.test(file.type) ? `;type=${file.type}` : "";
  return `-F ${quote(`${name}=@"${writePath(file.name).replace(/["\\]/g, "\\$&")}"${type}`)}`;
}

/** curl reads the standard input in place of a file of this name. */
function writePath(name: string): string {
  return name === "-" ? "./-" : name;
}

function linkTo(url: string, base: string): string {
  return `${base}/__proxy__/?url=${encodeURIComponent(url)}`;
}

/** True if the proxy would forward the plain request exactly as it sends the `arg`. */
function isPlain(argument: FetchArgument): boolean {
  const { url, method = "GET", redirect } = argument;
  const { headers, text } = writeBody(argument);
  // Not every server passes on the body of a GET, and curl sends none with HEAD. `arg` converts some methods to upper
  // case.
  if ((text !== undefined && isSafe(method)) || /[a-z]/.test(method)) return false;
  const isChanged = ([name, value]: [string, string]) =>
    BEYOND_ASCII.test(value) || isCarried(name.toLowerCase(), value);
  if (Object.entries(headers).some(isChanged)) return false;
  return redirect !== "manual" || findObstacle(url, pathOf(url)) === undefined;
}

function isSafe(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/**
 * Says why an address would change there.
 *
 * @param path the path and query requested there
 * @returns `undefined` if it stays the same
 */
export function findObstacle(address: string, path: string): string | undefined {
  const { pathname, search } = new URL(address);
  const target = decodeAddress(address);
  // The console sends it byte for byte. Browsers and curl remove dot segments, and encode some characters.
  if (target?.path !== pathname + search) return "Browsers and curl would change this path";
  if (target.authorization) return "There is no place for user and password";
  return isReserved(path) ? "The proxy answers /__proxy__/ itself" : undefined;
}
