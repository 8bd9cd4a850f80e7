import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Fields } from "../../../../src/core/http/fields.ts";
import type { Outgoing, Upstream } from "../../../../src/core/runtime.ts";
import { createProxy } from "../../../../src/index.ts";
import { type AwsKeys, AwsSigner, SIGNING_PARAMETER } from "../../../../src/parts/gate/sign/aws-signer.ts";
import { signatureOf } from "../../../support/aws.ts";
import { incoming, target } from "../../../support/handle.ts";
import { waitFor } from "../../../support/wait.ts";
import { sourced } from "../../../support/flow.ts";
import { rowsOf } from "../../../support/rows.ts";

const KEYS = { region: "eu-central-1", service: "sts", key: "AKIDEXAMPLE", secret: "the secret" };
const HASH = "x-amz-content-sha256";
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const bytes = (text: string) => new TextEncoder().encode(text);

/** Signs with these keys, in a proxy that holds nothing else. */
const sign = (request: Outgoing, keys: Partial<AwsKeys> = {}, held = { bytes: 0 }) =>
  new AwsSigner({ ...KEYS, ...keys }).begin(held).sign(request);

function outgoing(body: Outgoing["body"], fields: Record<string, string> = {}): Outgoing {
  const headers = new Fields([["host", "a.test"], ...Object.entries(fields)]);
  const signal = new AbortController().signal;
  return {
    method: "PUT",
    origin: new URL("https://a.test"),
    path: "/p?b=1",
    headers,
    body,
    addresses: undefined,
    signal,
  };
}

describe("a signed request", () => {
  beforeEach(() => void vi.useFakeTimers({ now: new Date("2026-02-03T04:05:06.789Z"), toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());

  it("has the time, the keys and the signature of now, and is no other request", async () => {
    const request = outgoing(bytes("body"), { "x-amz-date": "old" });
    const { headers, ...rest } = await sign(request, { session: "temporary" });
    expect(headers.get("x-amz-date")).toBe("20260203T040506Z");
    expect(headers.get("x-amz-security-token")).toBe("temporary");
    const sent = {
      method: "PUT",
      target: "/p?b=1",
      header: (name: string) => headers.get(name) ?? undefined,
    };
    const [start, signature] = headers.get("authorization")!.split("Signature=");
    expect(start).toBe(
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260203/eu-central-1/sts/aws4_request, " +
        "SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token, ",
    );
    expect(signature).toBe(signatureOf({ ...sent, body: Buffer.from("body") }, KEYS.secret));
    expect(rest).toMatchObject({ path: "/p?b=1", body: bytes("body") });
    expect(request.headers.get("x-amz-date")).toBe("old");
  });

  it("is signed by the key of its day", async () => {
    const signer = new AwsSigner(KEYS);
    for (const now of ["2026-02-03T23:59:59Z", "2026-02-04T00:00:00Z", "2026-02-04T00:00:01Z"]) {
      vi.setSystemTime(new Date(now));
      const { headers } = await signer.begin({ bytes: 0 }).sign(outgoing(null));
      const sent = {
        method: "PUT",
        target: "/p?b=1",
        header: (name: string) => headers.get(name) ?? undefined,
      };
      const signature = signatureOf({ ...sent, body: Buffer.alloc(0) }, KEYS.secret);
      expect(headers.get("authorization")?.split("Signature=")[1]).toBe(signature);
    }
  });
});

describe("what is signed of the body", () => {
  const { body: stream } = sourced();
  const said = sha256("said");
  it.each([
    { about: "none", body: null, s3: sha256(""), sts: sha256("") },
    { about: "none, whatever the caller says", body: null, says: said, s3: sha256(""), sts: sha256("") },
    { about: "bytes", body: bytes("b"), s3: "UNSIGNED-PAYLOAD", sts: sha256("b") },
    { about: "bytes with a hash", body: bytes("b"), says: said, s3: said, sts: said },
    { about: "a stream with a hash", body: stream, says: said, s3: said, sts: said },
    {
      about: "a stream of chunks without signatures",
      body: stream,
      says: "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
      s3: "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
      sts: "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
    },
  ])("is, for S3 and others: $about", async ({ body, says, s3, sts }) => {
    const signed = (service: string) => sign(outgoing(body, says ? { [HASH]: says } : {}), { service });
    const [first, second] = await Promise.all([signed("s3"), signed("sts")]);
    expect([first.headers.get(HASH), second.headers.get(HASH)]).toEqual([s3, sts]);
    expect([first.body, second.body]).toEqual([body, body]);
  });

  it("leaves a stream to S3 as it is, and its wait for a 100", async () => {
    const continuation = { isAwaited: true, onBody: undefined, onContinue: undefined };
    const request = { ...outgoing(sourced().body), continuation };
    const signed = await sign(request, { service: "s3" });
    expect([signed.body, signed.continuation]).toEqual([request.body, continuation]);
    expect([signed.headers.get(HASH), signed.headers.has("content-length")])
      .toEqual(["UNSIGNED-PAYLOAD", false]);
  });

  it("is the hash of a short stream elsewhere, which is read whole", async () => {
    const { body } = sourced();
    const continuation = { isAwaited: true, onBody: undefined, onContinue: undefined };
    const signing = sign({ ...outgoing(body), continuation });
    body.push(bytes("ab"));
    body.push(bytes("c"), true);
    const { headers, ...rest } = await signing;
    expect(rest).toMatchObject({ body: bytes("abc"), continuation: undefined });
    expect([headers.get(HASH), headers.get("content-length")]).toEqual([sha256("abc"), "3"]);
  });

  it("is not the hash of a long one", async () => {
    const { body } = sourced();
    const signing = sign(outgoing(body));
    body.push(new Uint8Array(16 * 1024 * 1024));
    body.push(bytes("c"));
    await expect(signing).rejects.toMatchObject({
      code: "request_too_large",
      message: expect.stringMatching(/limit 16777216 bytes\). Send its SHA-256 in x-amz-content-sha256$/),
    });
  });
});

describe("bodies that are hashed at once", () => {
  const MIB = 1024 * 1024;
  /** What does not count of each. */
  const FREE = MIB / 16;
  const TOO_MANY = {
    code: "overloaded",
    message:
      "Cannot sign the body: others are being hashed (limit 67108864 bytes together). Retry later, or send its " +
      "SHA-256 in x-amz-content-sha256",
    headers: { "retry-after": "1" },
  };
  /** Begins a body of so many MiB, in a proxy that holds this. */
  const begin = (held: { bytes: number }, size: number) => {
    const { body, told } = sourced();
    const signing = new AwsSigner(KEYS).begin(held);
    const signed = signing.sign(outgoing(body));
    body.push(new Uint8Array(size * MIB));
    return { body, told, signed, release: () => signing.release() };
  };

  it.each([
    { about: "whole", held: 48, size: 16, isTaken: true },
    { about: "whole", held: 49, size: 16, isTaken: false },
    { about: "a small one", held: 64, size: 1, isTaken: false },
    { about: "a small one", held: 63, size: 1, isTaken: true },
    { about: "what many send", held: 64, size: 1 / 16, isTaken: true },
  ])("have one limit: $about, $size MiB beside $held → $isTaken", async ({ held, size, isTaken }) => {
    const all = { bytes: held * MIB };
    const { body, told, signed, release } = begin(all, size);
    body.end();
    await (isTaken ? expect(signed).resolves.toBeDefined() : expect(signed).rejects.toMatchObject(TOO_MANY));
    expect(told.some((one) => Array.isArray(one))).toBe(!isTaken);
    expect(all.bytes).toBe(held * MIB + (isTaken ? size * MIB - FREE : 0));
    release();
    release();
    expect(all.bytes).toBe(held * MIB);
  });

  it("count while they come, and are free once they failed or their responses began", async () => {
    const all = { bytes: 0 };
    const begun = [16, 16, 16, 15].map((size) => begin(all, size));
    expect(all.bytes).toBe(63 * MIB - 4 * FREE);
    const late = begin(all, 2);
    await expect(late.signed).rejects.toMatchObject(TOO_MANY);
    late.release();
    const [cut, whole] = begun;
    cut!.body.end(new Error("cut"));
    await expect(cut!.signed).rejects.toThrow("cut");
    whole!.body.end();
    await whole!.signed;
    for (const { release } of [cut!, whole!]) release();
    expect(all.bytes).toBe(31 * MIB - 2 * FREE);
    for (const size of [16, 16]) begin(all, size);
    expect(all.bytes).toBe(63 * MIB - 4 * FREE);
  });

  it("are held by their proxy until the responses begin, or the requests fail", async () => {
    const sign = { aws: { region: "r", service: "sts", key: "id", secret: "the secret" } };
    const proxy = createProxy({ targets: { "a.test": { sign } } });
    const waiting: ((answer: Upstream | Promise<never>) => void)[] = [];
    const send = () => new Promise<Upstream>((resolve) => waiting.push(resolve));
    const ask = (size: number) => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue(new Uint8Array(size));
          controller.close();
        },
      });
      const request = incoming("/p", { proxy_host: "https://a.test" }, "POST", body);
      return proxy.handle(request, { ...target().runtime, send });
    };
    const asked: Promise<Response>[] = [];
    const fill = async (count: number) => {
      while (asked.length < count) {
        asked.push(ask(16 * MIB));
        await waitFor(() => expect(waiting).toHaveLength(asked.length));
      }
    };
    await fill(4);
    const refused = await ask(MIB);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    const answer = { status: 201, statusText: "", headers: new Headers(), body: null };
    waiting[0]!(answer);
    waiting[1]!(Promise.reject(new Error("reset")));
    expect([(await asked[0])?.status, (await asked[1])?.status]).toEqual([201, 502]);
    await fill(6);
    for (const resolve of waiting) resolve(answer);
    expect((await Promise.all(asked.slice(2))).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  });

  it("may take two minutes, not longer", async () => {
    vi.useFakeTimers();
    const all = { bytes: 0 };
    const { body, signed, release } = begin(all, 1);
    vi.advanceTimersByTime(120_000);
    body.push(bytes("in time"));
    vi.advanceTimersByTime(1);
    body.push(bytes("late"));
    vi.useRealTimers();
    await expect(signed).rejects.toMatchObject({
      code: "request_timeout",
      message: "Cannot sign the body: it takes longer than 120 s. Send its SHA-256 in x-amz-content-sha256",
    });
    release();
    expect(all.bytes).toBe(0);
  });

  it("leave out those that need no hash", async () => {
    const all = { bytes: 64 * MIB };
    await sign(outgoing(sourced().body), { service: "s3" }, all);
    await sign(outgoing(sourced().body, { [HASH]: sha256("x") }), {}, all);
    await sign(outgoing(bytes("in memory")), {}, all);
    expect(all.bytes).toBe(64 * MIB);
  });
});

describe("a caller's own signature", () => {
  const signer = new AwsSigner(KEYS);

  it("is dropped, but for what it says of the body", () => {
    const fields = {
      "x-amz-date": "1",
      "x-amz-security-token": "2",
      authorization: "3",
      [HASH]: "UNSIGNED-PAYLOAD",
    };
    expect([...signer.prepare(new Fields(Object.entries(fields)))])
      .toEqual([["authorization", "AWS4-HMAC-SHA256"], [HASH, "UNSIGNED-PAYLOAD"]]);
  });

  it.each(rowsOf(["hash", "says"], [
    ["STREAMING-AWS4-HMAC-SHA256-PAYLOAD", /the caller signs its chunks, expected x-amz-content/],
    ["STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER", /the caller signs its chunks/],
    ["STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD", /the caller signs its chunks/],
    [`${sha256("")}, ${sha256("a")}`, /x-amz-content-sha256 is malformed/],
    ["unsigned-payload", /is malformed/],
    ["", /is malformed/],
  ]))("is refused where its chunks have one, or its hash is none: $hash", ({ hash, says }) => {
    expect(() => signer.prepare(new Fields([[HASH, hash]])))
      .toThrow(expect.objectContaining({ code: "bad_request", message: expect.stringMatching(says) }));
  });

  it.each(["X-Amz-Signature", "x-amz-credential", "X-Amz-SignedHeaders", "X-Amz-Security-Token"])(
    "may be in %s",
    (name) => expect(SIGNING_PARAMETER.test(name)).toBe(true),
  );
  it.each(["X-Amz-Acl", "x-amz-dates", "Signature"])("is not in %s", (name) => {
    expect(SIGNING_PARAMETER.test(name)).toBe(false);
  });
});
