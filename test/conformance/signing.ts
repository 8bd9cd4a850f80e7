/**
 * Entries that sign for AWS: the secret stays here, and what a caller signed itself does not go out.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { mintToken, type TokenOptions } from "../../src/parts/tokens/mint.ts";
import { isSigned } from "../support/aws.ts";
import { BROWSER } from "../support/browser-fields.ts";
import {
  Acceptor,
  argOf,
  declareWith,
  expectError,
  handshake,
  open,
  placeOf,
  type Pool,
  reply,
  request,
  useUpstream,
} from "../support/topic.ts";

const TOKEN = "t0ken";
const SIGNING_KEY = "the key of the tests";
const AWS_SECRET = "wJalrXUtnFEMI/K7MDENG+secret";
const AWS_SESSION = "temporary/session+token==";
/** A table whose one entry signs for this service. */
function signingFor(service: string, others: object = {}): string {
  const aws = {
    region: "eu-central-1",
    service,
    key: "AKIDEXAMPLE",
    secret: "{{AWS_SECRET}}",
    session: "{{AWS_SESSION}}",
  };
  return JSON.stringify({ "localhost": { sign: { aws }, ...others } });
}
const HELD = { AWS_SECRET, AWS_SESSION, LOG: "json" };
const S3 = { ...HELD, PROXY_TOKEN: TOKEN, TARGETS: signingFor("s3"), CAPTURE: "5", METRICS: "true" };
const STS = { ...HELD, PROXY_TOKEN: TOKEN, TARGETS: signingFor("sts") };
const NARROW = {
  ...HELD,
  SIGNING_KEY,
  CALLER_TOKENS: "true",
  TARGETS: signingFor("s3", { paths: ["/bucket/"] }),
};
/** What an SDK sends with keys of no account. */
const DUMMY = {
  Authorization:
    "AWS4-HMAC-SHA256 Credential=DUMMY/20200101/us-east-1/s3/aws4_request, SignedHeaders=host, " +
    `Signature=${"0".repeat(64)}`,
  "X-Amz-Date": "20200101T000000Z",
  "X-Amz-Security-Token": "dummy",
  "X-Amz-Meta-A": "a  b",
  "Content-Type": "text/plain",
};
const token = { proxy_token: TOKEN };
const HASH = "x-amz-content-sha256";

export function describeSigning(pool: Pool): void {
  describe("an entry that signs", () => {
    const proxy = pool.with(S3);
    const narrow = pool.with(NARROW);
    const upstream = useUpstream();
    let bound: string;
    beforeEach(() => {
      bound = `http://localhost:${upstream.port}`;
    });
    const last = () => upstream.requests.at(-1)!;
    const all = () => upstream.requests.map(({ head, body }) => head + body.toString("latin1")).join();

    const PATH = "/bucket/a%20b%2B%28c%29?b=2&a=%2f&a=+x";
    it.each([
      {
        by: "header",
        ask: () => proxy.call(`GET ${PATH}`, { fields: { ...DUMMY, ...token, proxy_host: bound } }),
      },
      { by: "at", ask: () => proxy.call(`GET ${placeOf(bound)}${PATH}`, { fields: { ...DUMMY, ...token } }) },
      {
        by: "url",
        ask: () => proxy.call(`GET /__proxy__/?url=${bound}${PATH}`, { fields: { ...DUMMY, ...token } }),
      },
      {
        by: "arg",
        ask: () =>
          proxy.call(`GET /__proxy__/fetch?arg=${argOf({ url: bound + PATH, headers: DUMMY })}`, {
            fields: token,
          }),
      },
    ])("signs what goes out, in place of the caller's signature, by $by", async ({ ask }) => {
      const answer = await ask();
      expect([answer.status, answer.header("cache-control")]).toEqual([200, "private"]);
      expect(last().target).toBe(PATH);
      expect(isSigned(last(), AWS_SECRET)).toBe(true);
      expect(last().headersNamed("authorization").join()).toMatch(
        /Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/s3\/aws4_request, SignedHeaders=content-type;host;x-amz-/,
      );
      expect(last().headersNamed("x-amz-security-token")).toEqual([AWS_SESSION]);
      expect(all()).not.toMatch(/dummy/i);
      expect(all()).not.toContain(AWS_SECRET);
    });

    it("is no bearer of a signature in the caller's query", async () => {
      const signature = "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=DUMMY%2F1&x-amz-signature=00";
      const fields = { ...token, proxy_host: bound };
      for (
        const [query, sent] of [[`?${signature}`, ""], [`?a=%2f&${signature}&&b`, "?a=%2f&b"], ["?&a", "?&a"]]
      ) {
        await proxy.call(`GET /b/k${query}`, { fields });
        expect([last().target, isSigned(last(), AWS_SECRET)]).toEqual([`/b/k${sent}`, true]);
      }
    });

    it("signs each hop anew, and none to another host", async () => {
      const answers = {
        "/first": reply(307, { Location: "/second" }),
        "/second": reply(302, { Location: `${upstream.origin}/third` }),
      };
      upstream.answer = (request, socket) =>
        (answers[request.target as keyof typeof answers] ?? reply(200, {}, "ok"))(request, socket);
      const answer = await proxy.call(`GET /__proxy__/?url=${bound}/first`, {
        fields: { ...token, ...DUMMY },
      });
      expect(answer.text).toBe("ok");
      const [first, second, third] = upstream.requests;
      expect([first, second].map((request) => isSigned(request!, AWS_SECRET))).toEqual([true, true]);
      expect(first?.header("authorization")).not.toBe(second?.header("authorization"));
      expect([third?.target, third?.header("host")]).toEqual(["/third", upstream.host]);
      expect(third?.header("authorization")).toBeUndefined();
      expect(third?.head).not.toMatch(/AKID|AWS4-HMAC|eu-central/);
      expect(third?.head).not.toContain(AWS_SESSION);
    });

    it.each([
      {
        about: "a page of the target",
        fields: { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors" },
      },
      { about: "a page elsewhere", fields: { ...BROWSER.typed, "Sec-Fetch-Site": "cross-site" } },
      { about: "a frame", fields: BROWSER.frame },
    ])("signs nothing for $about", async ({ fields }) => {
      const cookie = `proxy_token=${TOKEN}; proxy_host=${bound}`;
      for (const path of ["/bucket/k", `${placeOf(bound)}/bucket/k`]) {
        expectError(await proxy.call(`GET ${path}`, { fields: { ...fields, Cookie: cookie } }), {
          status: 403,
        });
      }
      expect(upstream.requests).toHaveLength(0);
    });

    it("signs a WebSocket's handshake", async () => {
      new Acceptor(upstream);
      const fields = handshake({ ...token, proxy_host: bound }) as Record<string, string>;
      expect((await proxy.call("GET /p", { fields })).status).toBe(101);
      expect(isSigned(last(), AWS_SECRET)).toBe(true);
    });

    it.each([
      { hash: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD", says: "the caller signs its chunks" },
      { hash: "nonsense", says: "x-amz-content-sha256 is malformed" },
    ])("refuses a body that says $hash of itself, as explain says", async ({ hash, says }) => {
      const fields = { ...token, proxy_host: bound, [HASH]: hash };
      const answer = await proxy.call("PUT /bucket/k", { fields, body: "body" });
      expectError(answer, { status: 400 });
      expect(answer.text).toContain(
        `${says}, expected x-amz-content-sha256 with its SHA-256, UNSIGNED-PAYLOAD`,
      );
      expect(upstream.requests).toHaveLength(0);
      const told = await proxy.call("GET /__proxy__/explain?path=%2Fbucket%2Fk", { fields });
      expect(told.json()).toMatchObject({ verdict: { allowed: false, rule: "bad_request" } });
    });

    it("leaves no secret in answers, captures, HAR, metrics and explain", async () => {
      upstream.answer = (request, socket) => {
        const echoed = {
          "X-Session": request.header("x-amz-security-token"),
          Location: `/?s=${encodeURIComponent(AWS_SECRET)}`,
        };
        return reply(201, echoed, "ok")(request, socket);
      };
      const fields = { ...token, proxy_host: bound };
      const answers = [await proxy.call("GET /p", { fields })];
      expect(answers[0]?.header("x-session")).toBe("{{AWS_SESSION}}");
      for (const path of ["traffic.har", "traffic", "metrics", "explain?path=%2Fp"]) {
        answers.push(await proxy.call(`GET /__proxy__/${path}`, { fields }));
      }
      expect(answers.at(-1)?.json()).toMatchObject({
        entry: { name: "localhost", sign: { aws: { region: "eu-central-1", service: "s3" } } },
      });
      const written = decodeURIComponent(
        answers.map(({ head, text }) => head + text).join().replace(/%(?![\da-f]{2})/gi, ""),
      );
      expect([AWS_SECRET, AWS_SESSION].filter((secret) => written.includes(secret))).toEqual([]);
    });

    const mint = (claims: Partial<TokenOptions> = {}) =>
      mintToken({ id: "ci", expires: Date.now() / 1_000 + 600, ...claims }, SIGNING_KEY);
    it.each([
      { way: "the token of temporary keys", fields: { ...DUMMY, "X-Amz-Security-Token": "{token}" } },
      { way: "Authorization", fields: { Authorization: "Bearer {token}" } },
    ])("takes a caller's token as $way", async ({ fields }) => {
      const write = (text: string) =>
        Object.entries(fields).map((
          [name, value],
        ): [string, string] => [name, value.replace("{token}", text)]);
      const call = (path: string, text: string, others: Record<string, string> = {}) =>
        narrow.call(`GET ${path}`, {
          fields: [["proxy_host", bound], ...write(text), ...Object.entries(others)],
        });
      expect((await call("/bucket/k", await mint())).status).toBe(200);
      expect(isSigned(last(), AWS_SECRET)).toBe(true);
      expect(all()).not.toContain("fv1.");
      const limited = await mint({ paths: ["/bucket/mine/"] });
      const copying = { "x-amz-copy-source": "/bucket/theirs" };
      const statuses = [
        await call("/bucket/theirs", limited),
        await call("/other/k", await mint()),
        await call("/bucket/mine/k", limited, copying),
        await call("/bucket/k", "fv1.e30.forged"),
        await call("/bucket/mine/k", limited),
      ].map(({ status }) => status);
      expect(statuses).toEqual([403, 403, 403, 401, 200]);
      expect(upstream.requests).toHaveLength(2);
    });
  });
}

const MEGABYTES = Buffer.alloc(4_000_000, "a");

/** Declares what depends on how bodies are carried. */
export function describeSignedBodies(pool: Pool): void {
  describe("a signed upload", () => {
    const s3 = pool.with(S3);
    const sts = pool.with(STS);
    const upstream = useUpstream();
    const fieldsFor = (others: Record<string, string | undefined> = {}) => ({
      ...DUMMY,
      ...token,
      proxy_host: `http://localhost:${upstream.port}`,
      ...others,
    });

    it.each([
      { about: "of a length", fields: {}, sent: MEGABYTES },
      { about: "in chunks", fields: { "Transfer-Encoding": "chunked" }, sent: MEGABYTES },
      {
        about: "in chunks of its own",
        fields: { [HASH]: "STREAMING-UNSIGNED-PAYLOAD-TRAILER" },
        sent: MEGABYTES,
      },
      { about: "of nothing", fields: {}, sent: Buffer.alloc(0) },
    ])("to S3, $about, arrives whole", async ({ fields, sent }) => {
      const answer = await s3.call("PUT /bucket/k", { fields: fieldsFor(fields), body: sent });
      const [received] = upstream.requests;
      expect([answer.status, received?.body.equals(sent), isSigned(received!, AWS_SECRET)]).toEqual([
        200,
        true,
        true,
      ]);
    });

    it.each([{ body: "Action=GetCallerIdentity" }, { body: "a".repeat(300_000) }])(
      "elsewhere is hashed here, also in chunks",
      async ({ body }) => {
        for (const coding of [undefined, "chunked"]) {
          const answer = await sts.call("POST /", {
            fields: fieldsFor({ "Transfer-Encoding": coding }),
            body,
          });
          const received = upstream.requests.at(-1)!;
          expect([answer.status, received.body.toString(), isSigned(received, AWS_SECRET)]).toEqual([
            200,
            body,
            true,
          ]);
          expect(received.header("content-length")).toBe(String(body.length));
        }
      },
    );

    it("elsewhere is refused where it is too large to be hashed here", async () => {
      const body = Buffer.alloc(17 * 1024 * 1024);
      const answer = await sts.call("POST /", { fields: fieldsFor(), body });
      expect([answer.status, answer.text.includes("Send its SHA-256 in x-amz-content-sha256")]).toEqual([
        413,
        true,
      ]);
      expect(upstream.requests).toHaveLength(0);
    });

    declareWith(pool.runtime, "connections of its own", () => {
      it("reaches S3 while the caller still sends it", async () => {
        const arrived = upstream.next();
        const connection = await open(s3.port);
        const fields = { Host: `127.0.0.1:${s3.port}`, ...fieldsFor(), "Content-Length": "6" };
        connection.write(request("PUT", "/bucket/k", Object.entries(fields), "abc"));
        const received = await arrived;
        expect(received.header(HASH)).toBe("UNSIGNED-PAYLOAD");
        await expect.poll(() => received.body.toString()).toBe("abc");
        connection.write("def");
        expect((await connection.answer()).status).toBe(200);
        expect([received.body.toString(), isSigned(received, AWS_SECRET)]).toEqual(["abcdef", true]);
        connection.destroy();
      });
    });
  });
}
