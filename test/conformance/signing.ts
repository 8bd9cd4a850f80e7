/**
 * Entries that sign for AWS: the secret stays here, and what a caller signed itself does not go out.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { mintToken, type TokenOptions } from "../../src/parts/tokens/mint.ts";
import { isSigned } from "../support/aws.ts";
import { BROWSER } from "../support/browser-fields.ts";
import { Acceptor, argOf, expectError, handshake, open } from "../support/topic.ts";
import { placeOf, type Pool, reply, request, useUpstream } from "../support/topic.ts";
import { rowsOf } from "../support/rows.ts";

const TOKEN = "t0ken";
const SIGNING_KEY = "the key of the tests";
const FIRST_KEY = "wJalrXUtnFEMI/K7MDENG+secret";
const SECOND_KEY = "temporary/session+token==";
/** An entry that signs for this service. */
function signingFor(service: string): object {
  const aws = {
    region: "eu-central-1",
    service,
    key: "AKIDEXAMPLE",
    secret: "{{FIRST_KEY}}",
    session: "{{SECOND_KEY}}",
  };
  return { sign: { aws } };
}
const HELD = { FIRST_KEY, SECOND_KEY, LOG: "json" };
const S3 = {
  ...HELD,
  PROXY_TOKEN: TOKEN,
  TARGETS: JSON.stringify({ "localhost": signingFor("s3") }),
  CAPTURE: "5",
  METRICS: "true",
};
/** Entries by the two names of loopback, one for S3. */
const BOTH = {
  ...HELD,
  PROXY_TOKEN: TOKEN,
  CAPTURE: "5",
  TARGETS: JSON.stringify({ "localhost": signingFor("s3"), "127.0.0.1": signingFor("sts") }),
};
const NARROW = {
  ...HELD,
  SIGNING_KEY,
  CALLER_TOKENS: "true",
  TARGETS: JSON.stringify({ "localhost": { ...signingFor("s3"), paths: ["/bucket/"] } }),
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
    it.each(rowsOf(["by", "ask"], [
      ["header", () => proxy.call(`GET ${PATH}`, { fields: { ...DUMMY, ...token, proxy_host: bound } })],
      ["at", () => proxy.call(`GET ${placeOf(bound)}${PATH}`, { fields: { ...DUMMY, ...token } })],
      ["url", () => proxy.call(`GET /__proxy__/?url=${bound}${PATH}`, { fields: { ...DUMMY, ...token } })],
      ["arg", () =>
        proxy.call(`GET /__proxy__/fetch?arg=${argOf({ url: bound + PATH, headers: DUMMY })}`, {
          fields: token,
        })],
    ]))("signs what goes out, in place of the caller's signature, by $by", async ({ ask }) => {
      const answer = await ask();
      expect([answer.status, answer.header("cache-control")]).toEqual([200, "private"]);
      expect(last().target).toBe(PATH);
      expect(isSigned(last(), FIRST_KEY)).toBe(true);
      expect(last().headersNamed("authorization").join()).toMatch(
        /Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/s3\/aws4_request, SignedHeaders=content-type;host;x-amz-/,
      );
      expect(last().headersNamed("x-amz-security-token")).toEqual([SECOND_KEY]);
      expect(all()).not.toMatch(/dummy/i);
      expect(all()).not.toContain(FIRST_KEY);
    });

    it("is no bearer of a signature in the caller's query", async () => {
      const signature = "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=DUMMY%2F1&x-amz-signature=00";
      const fields = { ...token, proxy_host: bound };
      for (
        const [query, sent] of [[`?${signature}`, ""], [`?a=%2f&${signature}&&b`, "?a=%2f&b"], ["?&a", "?&a"]]
      ) {
        await proxy.call(`GET /b/k${query}`, { fields });
        expect([last().target, isSigned(last(), FIRST_KEY)]).toEqual([`/b/k${sent}`, true]);
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
      expect([first, second].map((request) => isSigned(request!, FIRST_KEY))).toEqual([true, true]);
      expect(first?.header("authorization")).not.toBe(second?.header("authorization"));
      expect([third?.target, third?.header("host")]).toEqual(["/third", upstream.host]);
      expect(third?.header("authorization")).toBeUndefined();
      expect(third?.head).not.toMatch(/AKID|AWS4-HMAC|eu-central/);
      expect(third?.head).not.toContain(SECOND_KEY);
    });

    it.each(rowsOf(["about", "fields"], [
      ["a page of the target", { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors" }],
      ["a page elsewhere", { ...BROWSER.typed, "Sec-Fetch-Site": "cross-site" }],
      ["a frame", BROWSER.frame],
    ]))("signs nothing for $about", async ({ fields }) => {
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
      expect(isSigned(last(), FIRST_KEY)).toBe(true);
    });

    it.each([
      { hash: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD", says: "the caller signs its chunks" },
      { hash: "nonsense", says: "x-amz-content-sha256 is malformed" },
    ])("refuses a body that says $hash of itself, as explain says", async ({ hash, says }) => {
      const fields = { ...token, proxy_host: bound, [HASH]: hash };
      const answer = await proxy.call("PUT /bucket/k", { fields, body: "body" });
      expectError(answer, { status: 400 });
      expect(answer.text)
        .toContain(`${says}, expected x-amz-content-sha256 with its SHA-256, UNSIGNED-PAYLOAD`);
      expect(upstream.requests).toHaveLength(0);
      const told = await proxy.call("GET /__proxy__/explain?path=%2Fbucket%2Fk", { fields });
      expect(told.json()).toMatchObject({ verdict: { allowed: false, rule: "bad_request" } });
    });

    it("leaves no secret in answers, captures, HAR, metrics and explain", async () => {
      upstream.answer = (request, socket) => {
        const echoed = {
          "X-Session": request.header("x-amz-security-token"),
          Location: `/?s=${encodeURIComponent(FIRST_KEY)}`,
        };
        return reply(201, echoed, "ok")(request, socket);
      };
      const fields = { ...token, proxy_host: bound };
      const watching = await open(proxy.port);
      watching.write(request("GET", "/__proxy__/traffic", { Host: `127.0.0.1:${proxy.port}`, ...fields }));
      await watching.until("event: ring");
      const answers = [await proxy.call("GET /watched", { fields })];
      expect(answers[0]?.header("x-session")).toBe("{{SECOND_KEY}}");
      const traffic = await watching.until("/watched");
      watching.destroy();
      for (const path of ["traffic.har", "metrics", "explain?path=%2Fp"]) {
        answers.push(await proxy.call(`GET /__proxy__/${path}`, { fields }));
      }
      expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200]);
      expect(answers.at(-1)?.json()).toMatchObject({
        entry: { name: "localhost", sign: { aws: { region: "eu-central-1", service: "s3" } } },
      });
      const written = decodeURIComponent(
        [traffic, ...answers.map(({ head, text }) => head + text)].join().replace(/%(?![\da-f]{2})/gi, ""),
      );
      expect([FIRST_KEY, SECOND_KEY].filter((secret) => written.includes(secret))).toEqual([]);
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
      expect(isSigned(last(), FIRST_KEY)).toBe(true);
      expect(all()).not.toContain("fv1.");
      const limited = await mint({ paths: ["/bucket/mine/"] });
      const statuses = [
        await call("/bucket/theirs", limited),
        await call("/other/k", await mint()),
        await call("/bucket/mine/k", limited, { "x-amz-copy-source": "/bucket/theirs" }),
        await call("/bucket/k", "fv1.e30.forged"),
        await call("/bucket/mine/k", limited),
      ].map(({ status }) => status);
      expect(statuses).toEqual([403, 403, 403, 401, 200]);
      expect(upstream.requests).toHaveLength(2);
    });
  });
}

const MEGABYTES = Buffer.alloc(4_000_000, "a");
/** The two framings of a body. */
const FRAMINGS = rowsOf(["framing", "frame"], [
  ["a length", (body: Buffer) => ({ fields: { "Content-Length": String(body.length) }, bytes: [body] })],
  ["chunks", (body: Buffer) => ({
    fields: { "Transfer-Encoding": "chunked" },
    bytes: [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")],
  })],
]);

/** Declares what depends on how bodies are carried. */
export function describeSignedBodies(pool: Pool): void {
  describe("a signed upload", () => {
    const proxy = pool.with(BOTH);
    const upstream = useUpstream();

    /** Writes the head of an upload, and hands over the connection. */
    async function begin(host: string, fields: Record<string, string | undefined>) {
      const connection = await open(proxy.port);
      const named = { Host: `127.0.0.1:${proxy.port}`, proxy_host: `http://${host}:${upstream.port}` };
      connection.write(request("PUT", "/bucket/k", { ...named, ...DUMMY, ...token, ...fields }));
      return connection;
    }

    it.each([
      { about: "S3", hash: {}, host: "localhost" },
      {
        about: "S3, unsigned chunks",
        hash: { [HASH]: "STREAMING-UNSIGNED-PAYLOAD-TRAILER" },
        host: "localhost",
      },
      { about: "others, hashed here", hash: {}, host: "127.0.0.1" },
    ].flatMap((way) => FRAMINGS.map((framing) => ({ ...way, ...framing }))))(
      "to $about, with $framing, arrives whole",
      async ({ hash, host, frame }) => {
        const { fields, bytes } = frame(MEGABYTES);
        const connection = await begin(host, { ...fields, ...hash });
        for (const part of bytes) connection.write(part);
        const { status } = await connection.answer();
        const [received] = upstream.requests;
        expect([status, received?.body.equals(MEGABYTES)]).toEqual([200, true]);
        expect(isSigned(received!, FIRST_KEY)).toBe(true);
        connection.destroy();
      },
    );

    it("to others is refused where it is too large to be hashed here", async () => {
      const answer = await proxy.call("POST /", {
        fields: { ...token, proxy_host: upstream.origin },
        body: Buffer.alloc(17 * 1024 * 1024),
      });
      expect(answer.status).toBe(413);
      expect(answer.text).toContain("Send its SHA-256 in x-amz-content-sha256");
      expect(upstream.requests).toHaveLength(0);
    });

    it("reaches S3 while the caller still sends it", async () => {
      const arrived = upstream.next();
      const connection = await begin("localhost", { "Content-Length": "6" });
      connection.write("abc");
      const received = await arrived;
      expect(received.header(HASH)).toBe("UNSIGNED-PAYLOAD");
      await expect.poll(() => received.body.toString()).toBe("abc");
      connection.write("def");
      expect((await connection.answer()).status).toBe(200);
      expect([received.body.toString(), isSigned(received, FIRST_KEY)]).toEqual(["abcdef", true]);
      connection.destroy();
    });
  });
}
