/**
 * A target that checks the signatures of AWS (version 4), computed here from what arrived and from nothing else.
 * @module
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
import { createHash, createHmac } from "node:crypto";
import { reply } from "./answers.ts";
import type { Handler, Received } from "./upstream.ts";

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([\w-]+)\/(\d{8})\/([\w-]+)\/([\w-]+)\/aws4_request, SignedHeaders=([\w;-]+), Signature=(\w{64})$/;
/** What a signature may say instead of the hash of the body. */
const UNHASHED = ["UNSIGNED-PAYLOAD", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"];

const IDENTITY = `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
<GetCallerIdentityResult><Arn>arn:aws:iam::123456789012:user/ada</Arn><UserId>ada</UserId><Account>123456789012</Account>
</GetCallerIdentityResult></GetCallerIdentityResponse>`;

const REFUSAL =
  `<ErrorResponse><Error><Code>SignatureDoesNotMatch</Code><Message>no</Message></Error></ErrorResponse>`;

function hash(bytes: string | Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function sign(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The query in the order of its names. */
function canonicalQuery(query: string): string {
  const pairs = [...new URLSearchParams(query)].map((pair) => pair.map(encode));
  pairs.sort(([name = "", value = ""], [other = "", another = ""]) =>
    name === other ? (value < another ? -1 : 1) : name < other ? -1 : 1
  );
  return pairs.map((pair) => pair.join("=")).join("&");
}

/** The path: of S3 encoded once, of others once more. */
function canonicalPath(path: string, service: string): string {
  return path.split("/").map((part) => encode(service === "s3" ? decodeURIComponent(part) : part)).join("/");
}

/** A request, as far as it is signed. */
export type Signed = Pick<Received, "method" | "target" | "body"> & {
  header(name: string): string | undefined;
};

/** The signature that a request has to have with this secret, for this very host, path, query, fields and body. */
export function signatureOf(request: Signed, secret: string): string {
  const [, , day = "", region = "", service = "", names = ""] =
    AUTHORIZATION.exec(request.header("authorization") ?? "") ?? [];
  const [path = "", query = ""] = request.target.split("?");
  const fields = names.split(";").map((name) =>
    `${name}:${request.header(name)?.trim().replace(/ +/g, " ")}\n`
  );
  const said = request.header("x-amz-content-sha256") ?? "";
  const content = UNHASHED.includes(said) ? said : hash(request.body);
  const canonical = [
    request.method,
    canonicalPath(path, service),
    canonicalQuery(query),
    fields.join(""),
    names,
    content,
  ];
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", request.header("x-amz-date"), scope, hash(canonical.join("\n"))].join(
    "\n",
  );
  const key = [region, service, "aws4_request"].reduce(sign, sign(`AWS4${secret}`, day));
  return sign(key, text).toString("hex");
}

/** True when a request is signed so, Host and all fields of AWS included, not long ago. */
export function isSigned(request: Received, secret: string): boolean {
  const [, , , , , names = "", signature] = AUTHORIZATION.exec(request.header("authorization") ?? "") ?? [];
  const wanted = [
    "host",
    ...request.headers.map(([name]) => name.toLowerCase()).filter((name) => /^x-amz-/.test(name)),
  ];
  const time = request.header("x-amz-date")?.replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5") ?? "";
  const isFresh = Math.abs(Date.now() - Date.parse(time)) < 60_000;
  const isWhole = wanted.every((name) => names.split(";").includes(name));
  return isWhole && isFresh && signatureOf(request, secret) === signature;
}

/** Answers `GetCallerIdentity` of STS; a request that is not signed so gets the 403 of AWS. */
export function identify(secret: string): Handler {
  const type = { "Content-Type": "text/xml" };
  return (request, socket) => {
    const answer = isSigned(request, secret) ? reply(200, type, IDENTITY) : reply(403, type, REFUSAL);
    return answer(request, socket);
  };
}
