/**
 * Names whose values are secrets, for every side that has to know them: capture, HAR, links, and what the page stores.
 * @module
 */

import { SECRET_NAMES } from "../../src/core/address/secret-names.ts";
import { namesOf } from "./names-of.ts";
import { typedRows } from "./rows.ts";

const ANYWHERE = namesOf(SECRET_NAMES.anywhere);

/** Names of fields: common ones, and each that the table has. */
export const SECRET_FIELDS: readonly string[] = unite(ANYWHERE, namesOf(SECRET_NAMES.fields), [
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
  "set-cookie2",
  "proxy_token",
  "proxy-token",
  "x-fetchvia-ticket",
  "x-fetchvia-viewer",
  "x-api-key",
  "api_key",
  "apikey",
  "x-goog-api-key",
  "x-goog-signature",
  "ocp-apim-subscription-key",
  "x-functions-key",
  "x-rapidapi-key",
  "dd-application-key",
  "x-auth",
  "x-key",
  "x-auth-token",
  "private-token",
  "x-amz-security-token",
  "x-secret",
  "x-password",
  "x-session-id",
  "x-jwt-assertion",
  "x-signature",
  "signature-input",
  "x-hub-signature-256",
  "x-shopify-hmac-sha256",
  "x-csrf-token",
  "x-credential",
  "x-wsse",
  "authentication-info",
  "x-scalar-cookie",
  "x-forwarded-authorization",
]);

/** Names of parameters, of fields of a form and of members of JSON, in the same way. */
export const SECRET_PARAMETERS: readonly string[] = unite(ANYWHERE, namesOf(SECRET_NAMES.parameters), [
  "token",
  "sig",
  "sid",
  "pin",
  "otp",
  "jwt",
  "session",
  "bearer",
  "assertion",
  "proof",
  "ticket",
  "confirm",
  "access_token",
  "id_token",
  "api_key",
  "apiKey",
  "appkey",
  "clientKey",
  "key",
  "pass",
  "passcode",
  "password",
  "passwd",
  "user[password]",
  "user[pin]",
  "card.pin",
  "secret",
  "client_secret",
  "code",
  "code_verifier",
  "arg",
  "X-Amz-Signature",
  "X-Amz-Credential",
  "SAMLResponse",
]);

/** Names that only look like that. */
export const OPEN_FIELDS: readonly string[] = [
  "accept",
  "host",
  "etag",
  "sec-websocket-key",
  "sec-websocket-accept",
  "idempotency-key",
  "www-authenticate",
  "access-control-allow-credentials",
  "access-control-request-headers",
  "content-security-policy",
  "traceparent",
  "keep-alive",
  "x-keyboard",
];
export const OPEN_PARAMETERS: readonly string[] = [
  "url",
  "host",
  "page",
  "q",
  "keys",
  "codec",
  "author",
  "monkey",
  "exp",
  "then",
];

/** Addresses with a secret that no name tells of; `PLANTED` is that secret. */
export const SECRET_ADDRESSES: readonly { what: string; address: string }[] = typedRows(["what", "address"], [
  ["a password", "https://me:PLANTED@a.test/"],
  ["a password without a scheme", "me:PLANTED@a.test/x"],
  ["a password with blanks", "https://me:a PLANTED@a.test/"],
  ["a password of a WebSocket", "wss://me:PLANTED@a.test/"],
  ["a user name that is a token", "https://PLANTED@a.test/"],
  ["a fragment", "https://a.test/#access_token=PLANTED"],
  ["a parameter behind a semicolon", "https://a.test/?a=1;token=PLANTED"],
  ["a matrix parameter", "https://a.test/x;sig=PLANTED/y"],
  ["an encoded name", "https://a.test/?pass%77ord=PLANTED"],
  ["an address in an address", "https://a.test/?to=https%3A%2F%2Fb.test%2F%3Fkey%3DPLANTED"],
  ["JSON in an address", 'https://a.test/?q={"password":"PLANTED"}'],
  ["a token of the proxy", "https://a.test/?x=fv1.PLANTED.abc"],
  ["a bot of Telegram", "https://a.test/bot12345:AAH-PLANTED-abcdefghij_klm/getMe"],
  ["a webhook of Slack", "https://a.test/services/T00000000/B00000000/PLANTEDXXXXXXXXXXXXXXXXX"],
  ["a webhook of Discord", "https://a.test/api/webhooks/123456789012345678/PLANTED-ab_cd-efghijkl"],
  ["a long run", "https://a.test/x/PLANTED0123456789abcdef"],
  ["a run with hyphens", "https://a.test/x/aPLANTED12-3456789abc-def"],
]);

/** Bodies with a secret; `PLANTED` is that secret. */
export const SECRET_BODIES: readonly { what: string; body: string }[] = [
  { what: "a member", body: '{ "password" : "PLANTED" }' },
  { what: "a number", body: '{"pin": PLANTED, "a": 1}' },
  { what: "a string with escapes", body: '{"pass": "a\\"PLANTED\\\\"}' },
  { what: "an escaped name", body: '{"pass\\u0077ord": "PLANTED"}' },
  { what: "a list", body: '{"tokens": ["a", "PLANTED"], "a": 1}' },
  { what: "an object", body: '{"credentials": {"user": {"x": "PLANTED"}}}' },
  { what: "a field", body: '{"headers": {"X-Auth": "PLANTED"}}' },
  { what: "an address", body: '{"url": "https://a.test/?sig=PLANTED"}' },
  { what: "JSON in JSON", body: JSON.stringify({ x: JSON.stringify({ token: "PLANTED" }) }) },
  { what: "GraphQL in JSON", body: JSON.stringify({ query: 'mutation { in(pin: "PLANTED") { id } }' }) },
  { what: "JSON that is none", body: "{'password': 'a PLANTED', a: 1}" },
  { what: "JSON that is cut", body: '{"password": "PLANTED' },
  { what: "JSON by lines", body: '{"a":1}\n{"token":"PLANTED"}' },
  { what: "a form", body: "a=1&user%5Bpassword%5D=PLANTED" },
  { what: "a line", body: "user: me\npassword: a PLANTED\n" },
  { what: "XML", body: '<a><ns:password type="x">PLANTED</ns:password></a>' },
  { what: "CDATA", body: "<secret><![CDATA[PLANTED]]></secret>" },
  { what: "a named value", body: '{"env": [{"name": "API_KEY", "value": "PLANTED"}]}' },
  { what: "a value by key", body: '{"key": "password", "value": {"is": "PLANTED"}}' },
  {
    what: "a part of a form",
    body: '--x\r\nContent-Disposition: form-data; name="pass"\r\nx-a: b\r\n\r\na\nPLANTED\r\n--x--\r\n',
  },
  { what: "the last part of a form", body: "--x\ncontent-disposition: form-data; name=pin\n\nPLANTED" },
  { what: "a hidden field of a page", body: "<form><input value='PLANTED' type=hidden name=csrf_token>" },
  { what: "a fact of a page", body: '<meta name="csrf-token" content="PLANTED">' },
  { what: "a token that says so", body: "hello eyJhbGciOiJub25lIn0.PLANTED.x" },
];

function unite(...lists: readonly string[][]): string[] {
  return [...new Set(lists.flat())];
}
