/**
 * `fetchvia decode`: shows the content of a host label, an `arg`, a whole link to the proxy, or a caller's token.
 * @module
 */

import { decodePercent } from "../core/http/text.ts";
import { decodeAddress, decodeBase } from "../core/address/address.ts";
import { decodeArg } from "../core/address/arg.ts";
import { findAddressFault, findBaseFault } from "../core/address/fault.ts";
import { decodeLabel, findLabelFault } from "../core/address/label.ts";
import { readAddressParameter, readParameter } from "../core/address/query.ts";
import { signLink } from "../core/address/signature.ts";
import { findArgFault } from "../core/pages/argument/argument.ts";
import { readClaims } from "../parts/tokens/claims.ts";
import { TOKEN_PREFIX } from "../parts/tokens/token.ts";
import { formatTime } from "./expiry.ts";
import { type ProxyLink, readLink } from "./take-apart.ts";

const SIGNED = /^(.*)&sig=([^&]*)$/;

/** The target of a link, and the parameter that names it. */
interface Named {
  selector: "arg" | "url" | "at" | "host";
  target: string;
  argument?: Record<string, unknown>;
}

/**
 * Decodes one thing: a label to its base, everything else to JSON. A token is described whether or not it is valid.
 *
 * @param key the key of signed links and tokens, to check a signature; `""` for none
 * @param now Unix time in seconds
 * @param readRevoked reads the ids of revoked tokens; `undefined` if none are known
 * @throws {Error} with a one-line message
 */
export async function decode(
  text: string,
  key = "",
  now: number = Date.now() / 1000,
  readRevoked: () => ReadonlySet<string> | undefined = () => undefined,
): Promise<string> {
  if (text.startsWith(TOKEN_PREFIX)) return format(await describeToken(text, key, now, readRevoked()));
  const link = readLink(text);
  if (link) return format(await describe(link, key, now));
  // Nearly every text is a valid label, but hardly any is the Base64 of a JSON object.
  const fields = decodeArg(text);
  if (fields) return format(fields);
  // `eyJ` begins the Base64 of a JSON object: this one was cut.
  const base = text.startsWith("eyJ") ? undefined : decodeLabel(text);
  if (base !== undefined) return base;
  throw new Error(
    "Cannot decode this: it is neither a label nor an arg nor a link nor a token, expected a host label such as " +
      "example-com, the Base64 of a JSON object, a link with /__proxy__/?url=, /__proxy__/at/ or /__proxy__/fetch?arg=, or " +
      `fv1.… As an arg: ${await findArgFault(text)}`,
  );
}

function format(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

async function describe(link: ProxyLink, key: string, now: number): Promise<Record<string, unknown>> {
  const { selector, target, argument } = await readNamed(link);
  const { base, query, exp } = link;
  const isSigned = readParameter(query, "sig") !== undefined;
  const fault = selector === "host" ? findHostFault(target) : findTargetFault(target);
  return {
    proxy: base,
    selector,
    target,
    ...(fault && { fault: `the target ${fault}` }),
    ...(argument && { argument }),
    ...(exp !== undefined && { exp, expires: formatTime(exp), expired: exp <= now }),
    signed: isSigned,
    ...(isSigned && key && { signature: await judge(link, key) }),
  };
}

/** Describes a token by its claims as they are written. */
async function describeToken(
  token: string,
  key: string,
  now: number,
  revoked: ReadonlySet<string> | undefined,
): Promise<Record<string, unknown>> {
  const end = token.lastIndexOf(".");
  const signed = token.slice(0, end);
  const written = decodeArg(signed.slice(TOKEN_PREFIX.length));
  if (!written) throw new Error("Cannot decode the token: its claims are not the Base64 of a JSON object");
  const { id, exp, ...claims } = written;
  const read = readClaims(written);
  const isRight = key !== "" && await signLink(signed, key) === token.slice(end + 1);
  return {
    id,
    exp,
    ...(typeof read === "object" && { expires: formatTime(read.exp), expired: read.exp <= now }),
    claims,
    ...(typeof read === "string" && { fault: read }),
    ...(key && { signature: isRight ? "right" : "wrong" }),
    ...(revoked && { revoked: revoked.has(String(id)) }),
  };
}

async function readNamed({ isFetch, query, at }: ProxyLink): Promise<Named> {
  if (at) {
    const base = decodeLabel(at.label);
    if (base !== undefined) return { selector: "at", target: base + at.rest };
    throw new Error(`Cannot decode the address: its label ${findLabelFault(at.label)}`);
  }
  if (isFetch) {
    const arg = readParameter(query, "arg") ?? "";
    const argument = decodeArg(arg);
    if (argument) return { selector: "arg", target: String(argument["url"] ?? ""), argument };
    const fault = await findArgFault(arg);
    throw new Error(`Cannot decode the link: its arg is not the Base64 of a JSON object: ${fault}`);
  }
  const url = readAddressParameter(query);
  if (typeof url === "string") return { selector: "url", target: url };
  const host = decodePercent(readParameter(query, "host") ?? "");
  if (host) return { selector: "host", target: host };
  throw new Error("Cannot decode the link: it names no target, expected url=, host= or arg=");
}

function findTargetFault(target: string): string | undefined {
  return decodeAddress(target.replace(/^ws(s?):/i, "http$1:")) ? undefined : findAddressFault(target);
}

function findHostFault(target: string): string | undefined {
  return decodeBase(target) ? undefined : findBaseFault(target);
}

/** Checks the signature, which covers everything before it in the link. */
async function judge({ path }: ProxyLink, key: string): Promise<"right" | "wrong"> {
  const [, signed = "", signature] = SIGNED.exec(path) ?? [];
  return await signLink(signed, key) === signature ? "right" : "wrong";
}
