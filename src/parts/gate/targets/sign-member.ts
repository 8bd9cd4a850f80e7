/**
 * The member that signs requests with keys that are not sent (rules 22.20 and 22.21).
 * @module
 */

import { isRecord } from "../../../core/settings/option-values.ts";
import { nameKnown } from "../../../core/settings/nearest.ts";
import { type AwsKeys, AwsSigner } from "../sign/aws-signer.ts";
import { checkHolder } from "./connection-members.ts";
import { fillKeys, listKeys } from "./keys.ts";
import { badPart, type Draft, type Member, MemberFault, showName } from "./member.ts";

/** How one text of `aws` is read. */
interface Part {
  readonly wanted: RegExp;
  readonly expected: string;
  /** True for a secret, even where the table itself holds it. */
  readonly isSecret?: boolean;
}

const AWS: Readonly<Record<keyof AwsKeys, Part>> = {
  region: { wanted: /^[\w-]+$/, expected: "a region such as eu-central-1" },
  service: { wanted: /^[\w-]+$/, expected: "a service such as s3" },
  key: { wanted: /^[\w.@:+-]+$/, expected: "the id of an access key, such as {{AWS_ACCESS_KEY_ID}}" },
  secret: { wanted: /^[ -~]+$/, expected: "a secret such as {{AWS_SECRET_ACCESS_KEY}}", isSecret: true },
  session: { wanted: /^[!-~]+$/, expected: "a token such as {{AWS_SESSION_TOKEN}}", isSecret: true },
};
const OPTIONAL = "session";
/** Headers that the signature takes for itself. */
const TAKEN: ReadonlySet<string> = new Set(["authorization", "x-amz-date", "x-amz-security-token"]);

/** The `sign` member. */
export const SIGN_MEMBER: Member = {
  expected: "an object such as " +
    '{"aws": {"region": "eu-central-1", "service": "s3", "key": "{{NAME}}", "secret": "{{OTHER}}"}}',
  read(value, draft, { name, place, readKey }) {
    if (!isRecord(value)) return false;
    checkNames("sign", value, ["aws"]);
    const { aws } = value;
    if (!isRecord(aws)) throw badPart("sign.aws", `an object with ${Object.keys(AWS).join(", ")}`);
    checkNames("sign.aws", aws, Object.keys(AWS));
    checkHolder(place);
    const own = new Map(draft.ownKeys);
    const texts: Record<string, string> = {};
    for (const [part, { wanted, expected, isSecret }] of Object.entries(AWS)) {
      const text = aws[part];
      if (text === undefined && part === OPTIONAL) continue;
      const filled = typeof text === "string" ? fillKeys(text, readKey) : "";
      if (!wanted.test(filled)) throw badPart(`sign.aws.${part}`, expected);
      const [key] = listKeys(String(text));
      if (key !== undefined && text === `{{${key}}}`) own.set(key, filled);
      else if (key !== undefined || isSecret) own.set(`${part} of ${name}`, filled);
      texts[part] = filled;
    }
    const keys = texts as unknown as AwsKeys;
    draft.ownKeys = own;
    draft.sign = { aws: { region: keys.region, service: keys.service } };
    draft.signer = new AwsSigner(keys);
    return true;
  },
};

/** Refuses unknown names, and the lack of one. */
function checkNames(place: string, value: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new MemberFault(
      `has ${JSON.stringify(showName(unknown))} in ${place}, expected ${nameKnown(unknown, known)}`,
    );
  }
  const missing = known.find((name) => name !== OPTIONAL && value[name] === undefined);
  if (missing) throw new MemberFault(`has no ${missing} in ${place}, expected it beside the others`);
}

/**
 * Refuses an entry that sets what it signs with.
 *
 * @throws {MemberFault} naming both
 */
export function checkSign({ sign, set = [] }: Draft): void {
  const both = sign && set.find(({ name }) => TAKEN.has(name));
  if (both) throw new MemberFault(`has sign and set.${both.written}, expected one of them`);
}
