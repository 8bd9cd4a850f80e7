/**
 * Signs requests for AWS, with a secret that is never sent (AWS Signature Version 4, rules 22.20 to 22.26).
 * @module
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */

import { isStreaming, readWhole } from "../../../core/http/body.ts";
import { ProxyError } from "../../../core/http/error.ts";
import { type FieldReader, Fields } from "../../../core/http/fields.ts";
import type { Signing } from "../../../core/exchange/table-entry.ts";
import type { Outgoing } from "../../../core/runtime.ts";
import { type Canonical, isS3, toHex, writeCanonical } from "./canonical-request.ts";

const ALGORITHM = "AWS4-HMAC-SHA256";
const HASH = "x-amz-content-sha256";
/** What a caller may say of its body: its hash, that there is none, or that its chunks are not signed. */
const SAYINGS = /^(?:[\da-f]{64}|UNSIGNED-PAYLOAD|STREAMING-UNSIGNED-PAYLOAD-TRAILER)$/;
/** Most bytes of a body that is hashed here: what DynamoDB takes. */
const HASHED_BYTES = 16 * 1024 * 1024;
/** Most bytes of all such bodies together. */
const HELD_BYTES = 4 * HASHED_BYTES;
/** Bytes of each that do not count, so that slow uploads of one caller keep no ordinary request of others from being signed. */
const FREE_BYTES = 64 * 1024;
/** How long such a body may take, in milliseconds, so that nobody holds its room by one byte at a time. */
const READ_MS = 120_000;
/** Names of parameters that sign a request in its address. */
export const SIGNING_PARAMETER: RegExp =
  /^x-amz-(?:algorithm|credential|date|expires|security-token|signature|signedheaders)$/i;

type Bytes = Uint8Array<ArrayBuffer>;

/** What signs, and for whom. Only `key`, the id of the access key, and `session`, the token of temporary keys, are sent. */
export interface AwsKeys {
  readonly region: string;
  readonly service: string;
  readonly key: string;
  readonly secret: string;
  readonly session?: string;
}

/** How many bytes of bodies that are hashed here one proxy holds, until their responses begin. */
export interface HeldBytes {
  bytes: number;
}

/** Signs with the keys of one entry. */
export class AwsSigner {
  readonly #keys: AwsKeys;
  /** The derived key of the latest day: it depends on the entry and the date alone. */
  #derived: { readonly day: string; readonly key: Bytes } | undefined;

  constructor(keys: AwsKeys) {
    this.#keys = keys;
  }

  /**
   * The headers without the caller's own signature.
   *
   * @throws {ProxyError} `bad_request` for a body whose chunks the caller signed: it would have to be written anew
   */
  prepare(headers: FieldReader): Fields {
    const said = headers.get(HASH);
    if (said !== null && !SAYINGS.test(said)) {
      const state = said.startsWith("STREAMING-") ? "the caller signs its chunks" : `${HASH} is malformed`;
      const wanted = `${HASH} with its SHA-256, UNSIGNED-PAYLOAD or STREAMING-UNSIGNED-PAYLOAD-TRAILER`;
      throw new ProxyError("bad_request", `Cannot sign the body: ${state}, expected ${wanted}`);
    }
    const prepared = new Fields(headers);
    for (const name of ["x-amz-date", "x-amz-security-token"]) prepared.delete(name);
    // Until it is signed, the scheme tells the core that the request carries other credentials than the caller's.
    prepared.set("authorization", ALGORITHM);
    return prepared;
  }

  /** Begins the signing of one request. What it holds of its body counts in `held` until it is released. */
  begin(held: HeldBytes): Signing {
    let own = 0;
    const start = performance.now();
    const hold = (size: number) => {
      if (size > HASHED_BYTES) throw tooLong();
      if (performance.now() - start > READ_MS) throw tooSlow();
      const counted = Math.max(0, size - FREE_BYTES);
      if (held.bytes - own + counted > HELD_BYTES) throw tooMany();
      held.bytes += counted - own;
      own = counted;
    };
    const release = () => {
      held.bytes -= own;
      own = 0;
    };
    return { sign: (outgoing) => this.#sign(outgoing, hold), release };
  }

  /**
   * Signs a request at the current time.
   *
   * @param hold is told how many bytes of a body are held, and throws if they are too many
   * @throws {ProxyError} `request_too_large` for a body of more than 16 MiB that must be hashed here, `overloaded` beside too
   * many, `request_timeout` for one that takes too long
   */
  async #sign(request: Outgoing, hold: (size: number) => void): Promise<Outgoing> {
    const { service, session } = this.#keys;
    const headers = new Fields(request.headers);
    const { hash, body } = await this.#hash(request, hold);
    const time = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
    headers.set(HASH, hash);
    headers.set("x-amz-date", time);
    if (session) headers.set("x-amz-security-token", session);
    if (body && !isStreaming(body)) headers.set("content-length", String(body.length));
    const canonical = writeCanonical({ ...request, headers }, service, hash);
    headers.set("authorization", await this.authorize(canonical, time));
    return { ...request, headers, body, ...!isStreaming(body) && { continuation: undefined } };
  }

  /** The value of `Authorization`, for a time such as `20150830T123600Z`. */
  async authorize({ names, text }: Canonical, time: string): Promise<string> {
    const { region, service, key } = this.#keys;
    const day = time.slice(0, 8);
    const scope = `${day}/${region}/${service}/aws4_request`;
    const digest = await sha256(Uint8Array.from(text, (byte) => byte.charCodeAt(0)));
    const signature = await hmac(await this.#derive(day), `${ALGORITHM}\n${time}\n${scope}\n${digest}`);
    return `${ALGORITHM} Credential=${key}/${scope}, SignedHeaders=${names}, Signature=${toHex(signature)}`;
  }

  /** What is signed of the body. S3 takes any body unsigned; other services want a hash, so a short body is read. */
  async #hash(
    { body, headers }: Outgoing,
    hold: (size: number) => void,
  ): Promise<{ hash: string; body: Outgoing["body"] }> {
    const said = headers.get(HASH);
    // A redirect may have dropped the body that the caller hashed.
    if (body && said !== null) return { hash: said, body };
    if (body && isS3(this.#keys.service)) return { hash: "UNSIGNED-PAYLOAD", body };
    const whole = isStreaming(body) ? await readWhole(body, hold) : body;
    return { hash: await sha256(whole ?? new Uint8Array()), body: whole };
  }

  /** The key of a day. Not its promise is kept: on some platforms one request can't await a promise of another. */
  async #derive(day: string): Promise<Bytes> {
    if (this.#derived?.day === day) return this.#derived.key;
    const { region, service, secret } = this.#keys;
    let key: Bytes = new TextEncoder().encode(`AWS4${secret}`);
    for (const step of [day, region, service, "aws4_request"]) key = await hmac(key, step);
    this.#derived = { day, key };
    return key;
  }
}

function tooLong(): ProxyError {
  const limit =
    `it is too large to be hashed here (limit ${HASHED_BYTES} bytes). Send its SHA-256 in ${HASH}`;
  return new ProxyError("request_too_large", `Cannot sign the body: ${limit}`);
}

function tooSlow(): ProxyError {
  const limit = `it takes longer than ${READ_MS / 1_000} s. Send its SHA-256 in ${HASH}`;
  return new ProxyError("request_timeout", `Cannot sign the body: ${limit}`);
}

function tooMany(): ProxyError {
  const limit =
    `others are being hashed (limit ${HELD_BYTES} bytes together). Retry later, or send its SHA-256 in ${HASH}`;
  return new ProxyError("overloaded", `Cannot sign the body: ${limit}`, { headers: { "retry-after": "1" } });
}

async function hmac(key: Bytes, text: string): Promise<Bytes> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, new TextEncoder().encode(text)));
}

async function sha256(bytes: Bytes): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}
