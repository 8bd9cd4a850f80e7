/**
 * The names of fields and parameters whose values are secrets.
 * @module
 */

/** Parts of a name that tell of a secret, in fields and parameters alike. */
const SECRET =
  /token|secret|passw|passphrase|pwd|api[-_]?key|access[-_]?key|private[-_]?key|auth[-_]?key|subscription[-_]?key|signature|credential|session|jwt|csrf|xsrf|assertion|saml|hmac|one-time|otp(?:[-_]|$)/i;

/** Whole names of fields, lower-case. */
const SECRET_FIELDS =
  /^(?:authorization|proxy-authorization|cookie2?|set-cookie2?|(?:proxy-)?authentication-info|x-fetchvia-(?:ticket|viewer)|x-auth|x-key|key|auth|.*[-_](?:cookie|auth|authorization|authentication|key|sig|pass|ticket))$/;
/** Fields that only look like that. */
const OPEN_FIELDS =
  /^(?:sec-websocket-(?:key|accept)|idempotency-key|surrogate-key|www-authenticate|proxy-authenticate|access-control-.*|sec-.*-policy)$/;

/** Whole names of parameters, lower-case; `arg` holds a whole request. */
const SECRET_PARAMETERS =
  /^(?:arg|sig|key|code|pass|auth|sid|otp|pin|proof|ticket|confirm|back|bearer|authorization|cookie|.*[-_.](?:key|sig|pass|ticket|code))$/i;

/** True for a field whose value is a secret. Takes the lower-case name. */
export function isSecretField(name: string): boolean {
  return !OPEN_FIELDS.test(name) && (SECRET_FIELDS.test(name) || SECRET.test(name));
}

/** True for a parameter, or a member of JSON, whose value is a secret. */
export function isSecretParameter(name: string): boolean {
  return SECRET_PARAMETERS.test(name) || SECRET.test(name);
}
