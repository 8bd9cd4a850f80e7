/**
 * Descriptions of an entry's members, for the docs and the JSON Schema. Reading a table does not need them.
 * @module
 */

import { TLS_VERSIONS } from "../../src/core/address/route.ts";
import { LABEL, MOST, MOST_MS } from "../../src/core/settings/values.ts";
import { KEY_NAME } from "../../src/parts/gate/targets/field-members.ts";
import { REQUEST } from "../../src/parts/gate/targets/members.ts";
import { PATH } from "../../src/core/settings/request-lists.ts";

/** The documentation of a member. */
export interface MemberDoc {
  /** JSON Schema (2020-12) of its value. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** What it does. */
  readonly effect: string;
}

const TEXT = { type: "string", minLength: 1 };
const TEXTS = { type: "array", items: { type: "string" }, minItems: 1 };
const NAMES = { type: "array", items: { type: "string" } };
const FIELDS = { type: "object", additionalProperties: { type: "string" } };
const MILLISECONDS = { type: "integer", minimum: 0, maximum: MOST_MS };
const BYTES = { type: "integer", minimum: 0, maximum: MOST };

/** Every member by its name, in the order of the docs. */
export const MEMBER_DOCS: Readonly<Record<string, MemberDoc>> = {
  label: {
    schema: { type: "string", pattern: LABEL.source },
    effect:
      "A host label for this target, as another entry of `PROXY_LABELS`. Node and other programs may not know `*.localhost`: there, the address by path (`/__proxy__/at/<label>/…`) does the same.",
  },
  set: {
    schema: FIELDS,
    effect: "Fields of the request to set; `?name` sets a parameter of the query. `{{NAME}}` is a key.",
  },
  remove: { schema: NAMES, effect: "Fields of the request to remove." },
  answerSet: { schema: FIELDS, effect: "Fields of the response to set." },
  answerRemove: { schema: NAMES, effect: "Fields of the response to remove." },
  keys: {
    schema: { ...NAMES, items: { type: "string", pattern: KEY_NAME.source } },
    effect: "Keys that callers may place as `{{NAME}}`.",
  },
  sign: {
    schema: {
      type: "object",
      properties: {
        aws: {
          type: "object",
          properties: { region: TEXT, service: TEXT, key: TEXT, secret: TEXT, session: TEXT },
          required: ["region", "service", "key", "secret"],
          additionalProperties: false,
        },
      },
      required: ["aws"],
      additionalProperties: false,
    },
    effect: "Signs each request for AWS, with a secret that is not sent. `{{NAME}}` is a key.",
  },
  methods: { schema: TEXTS, effect: "The only methods; all others are refused." },
  paths: {
    schema: { ...TEXTS, items: { type: "string", pattern: PATH.source } },
    effect:
      "The only path prefixes; all others are refused. `/v1/` allows what is below it, `=/v1/me` this path alone, with any query.",
  },
  requests: {
    schema: { type: "array", items: { type: "string", pattern: REQUEST.source } },
    effect:
      "The only requests: method, scheme (`http`, `https`, `ws`, `wss`) and path prefix, such as `GET https /v1/` or `POST https =/v1/me`; all others are refused. An empty list refuses every request.",
  },
  timeoutMs: {
    schema: MILLISECONDS,
    effect: "Timeout for the response headers in milliseconds; 0 for none.",
  },
  idleTimeoutMs: {
    schema: MILLISECONDS,
    effect: "Timeout between two chunks of a body in milliseconds; 0 for none.",
  },
  maxRequestBytes: { schema: BYTES, effect: "Maximum bytes of a request body; 0 for no limit." },
  maxResponseBytes: { schema: BYTES, effect: "Maximum bytes of a response body; 0 for no limit." },
  ca: { schema: TEXT, effect: "PEM file of authorities, beside the usual ones." },
  pin: {
    schema: { oneOf: [TEXT, { type: "array", items: TEXT, minItems: 1 }] },
    effect: "Digests of the target's public key, one of which must match.",
  },
  cert: { schema: TEXT, effect: "PEM file of the certificate that the target asks for, with `key`." },
  key: { schema: TEXT, effect: "PEM file of the key of `cert`." },
  serverName: {
    schema: TEXT,
    effect: "The name that the certificate must hold, in place of the target's.",
  },
  insecure: {
    schema: { type: "boolean" },
    effect: "`true` does not check the certificate: for one host or address only.",
  },
  minVersion: {
    schema: { enum: TLS_VERSIONS },
    effect: "The oldest version of TLS that is spoken; `TLSv1.2` unless given.",
  },
  host: {
    schema: { enum: ["caller", "target"] },
    effect:
      "`caller` sends the caller's own Host, and with it `Origin`, `Referer`, `Destination` and `If` as the caller sent them: for apps that make absolute addresses of it, or that compare `Origin` with it. Beside a key, only a name of this proxy.",
  },
  upstream: {
    schema: { type: "string" },
    effect: "Another proxy for this target, or `direct`, in place of `UPSTREAM_PROXY`.",
  },
  $comment: { schema: { oneOf: [TEXT, TEXTS] }, effect: "For readers; it does nothing." },
};
