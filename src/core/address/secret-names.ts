/**
 * The only table of names whose values are secrets: capture and HAR mask by it, links warn by it, and the console's page
 * stores no value that it names.
 * @module
 */

/** Parts of a name that mark a secret, in headers and parameters alike. */
const SECRET =
  /token|secret|passw|pass(?:phrase|code|key)|pwd|(?:api|app|application|access|private|auth|client|consumer|master|account|shared|signing|subscription)[-_]?key|signature|credential|session|jwt|csrf|xsrf|assertion|verifier|saml|wsse|hmac|one-time|otp(?:[-_]|$)/i;

/** Whole names of fields, lower-case. */
const SECRET_FIELDS =
  /^(?:authorization|proxy-authorization|cookie2?|set-cookie2?|(?:proxy-)?authentication-info|x-fetchvia-(?:ticket|viewer)|x-auth|x-key|x-jfrog-art-api|key|auth|authentication|bearer|sig|pass|sid|pin|proof|ticket|.*[-_](?:cookie|auth|authorization|authentication|key|sig|sid|pass|pin|bearer|proof|ticket))$/;
/** Headers that only look like secrets. */
const OPEN_FIELDS =
  /^(?:sec-websocket-(?:key|accept)|idempotency-key|surrogate-key|www-authenticate|proxy-authenticate|access-control-.*|sec-.*-policy)$/;

/** Whole names of parameters, lower-case; `arg` holds a whole request. */
const SECRET_PARAMETERS =
  /^(?:arg|sig|key|code|pass|auth|sid|otp|pin|proof|ticket|confirm|back|bearer|authorization|cookie|.*[-_.[](?:key|sig|pass|ticket|code|sid|otp|pin|auth(?:orization)?|bearer|cookie|proof)\]?)$/i;
/** What stands behind a name that has several values. */
const INDEX = /(?:\[\d{0,9}\]){1,9}$/;

/** Parts of names that only look like secrets: what language models count, and codes that everybody knows. */
const OPEN =
  /(?:max|min|ratelimit)[-_]?(?:[a-z]{1,16}[-_]?)?tokens|(?:audio|budget|cached|completion|generated|image|input|output|prediction|prompt|reasoning|text|thinking|total)[-_]?token(?:s|s?[-_]?details)|tokens?[-_]?count|tokenizers?|(?:country|currency|error|exit|http|language|postal|status|zip)[-_.[]?code/gi;

/** Whole names of environment variables, beside those that the names above mark. */
const SECRET_VARIABLES =
  /(?:^|[_.-])(?:(?:license)?keys?|(?:ssh|db)?pass|pw|pat|o?auth(?:orization)?|creds?|salt|seed|mnemonic|cookie|bearer|webhook(?:[_.-]ur[il])?|conn(?:ection)?[_.-]?str(?:ing)?)(?:[_.-]?\d+)?$/i;
/** Parts of names of environment variables that only look like secrets. */
const OPEN_VARIABLES = /^(?:old)?pwd$|^git_config_key_\d{1,9}$|session/gi;

/** The table itself, so that tests can plant each of its names. */
export const SECRET_NAMES: Readonly<Record<"anywhere" | "fields" | "parameters", RegExp>> = {
  anywhere: SECRET,
  fields: SECRET_FIELDS,
  parameters: SECRET_PARAMETERS,
};

/** True for a field whose value is a secret. Takes the lower-case name. */
export function isSecretField(name: string): boolean {
  const marking = name.replace(OPEN, "");
  return !OPEN_FIELDS.test(name) && (SECRET_FIELDS.test(marking) || SECRET.test(marking));
}

/** True for a parameter whose value is a secret. */
export function isSecretParameter(name: string): boolean {
  const marking = name.replace(OPEN, "");
  return SECRET_PARAMETERS.test(marking.replace(INDEX, "")) || SECRET.test(marking);
}

/** True for an environment variable whose value is a secret by its name. */
export function isSecretVariable(name: string): boolean {
  const marking = name.replace(/([a-z])(?=[A-Z])/g, "$1_").replace(OPEN_VARIABLES, "").replace(OPEN, "");
  return SECRET.test(marking) || SECRET_VARIABLES.test(marking);
}

/** True for a name that may be either, such as that of a member of JSON: it often holds fields or parameters. */
export function isSecretName(name: string): boolean {
  return isSecretParameter(name) || isSecretField(name.toLowerCase());
}
