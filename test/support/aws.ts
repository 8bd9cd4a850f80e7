/**
 * A target that checks the signatures of AWS (version 4), computed here from what arrived and from nothing else.
 * @module
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
import { createHash, createHmac } from "node:crypto";
import { reply } from "./answers.ts";
import type { Handler, Received } from "./upstream.ts";

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=(\w+)\/(\d{8})\/([\w-]+)\/(\w+)\/aws4_request, SignedHeaders=([\w;-]+), Signature=(\w{64})$/;

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

/** The query in the order of its names; the address that signs is encoded already. */
function canonicalQuery(query: string): string {
  return query.split("&").filter(Boolean).map((pair) => pair.includes("=") ? pair : `${pair}=`).sort().join(
    "&",
  );
}

/** True when a request is signed with this secret, for this very host, path, query, fields and body. */
export function isSigned(request: Received, secret: string): boolean {
  const [, , day = "", region = "", service = "", names = "", signature] =
    AUTHORIZATION.exec(request.header("authorization") ?? "") ?? [];
  const [path = "", query = ""] = request.target.split("?");
  const fields = names.split(";").map((name) =>
    `${name}:${request.header(name)?.trim().replace(/ +/g, " ")}\n`
  );
  const canonical = [request.method, path, canonicalQuery(query), fields.join(""), names, hash(request.body)];
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", request.header("x-amz-date"), scope, hash(canonical.join("\n"))].join(
    "\n",
  );
  const key = [region, service, "aws4_request"].reduce(sign, sign(`AWS4${secret}`, day));
  return names.split(";").includes("host") && sign(key, text).toString("hex") === signature;
}

/** Answers `GetCallerIdentity` of STS; a request that is not signed so gets the 403 of AWS. */
export function identify(secret: string): Handler {
  const type = { "Content-Type": "text/xml" };
  return (request, socket) => {
    const answer = isSigned(request, secret) ? reply(200, type, IDENTITY) : reply(403, type, REFUSAL);
    return answer(request, socket);
  };
}
