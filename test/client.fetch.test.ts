import { afterEach, describe, expect, it, vi } from "vitest";
import { createFetch, type FetchOptions } from "../src/client.ts";

const BASE = "http://localhost:8080";
const ENTRY = `${BASE}/__proxy__/fetch`;
const SIGNED = { key: "k", expires: 4_102_444_800 };

/** What was asked of the global `fetch`: the request, and the parts that made it. */
interface Sent {
  request: Request;
  init: RequestInit & { duplex?: string };
}

function recordFetch(): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal("fetch", (input: RequestInfo | URL, init: RequestInit = {}) => {
    sent.push({ request: new Request(input, init), init });
    return Promise.resolve(new Response("ok"));
  });
  return sent;
}

/** Calls once and gives the one request that goes to the proxy. */
async function send(options: FetchOptions, ...[input, init]: Parameters<typeof fetch>): Promise<Sent> {
  const sent = recordFetch();
  await createFetch(BASE, options)(input, init);
  const [first] = sent;
  if (!first || sent.length > 1) throw new Error(`Expected one request, got ${sent.length}`);
  return first;
}

/** What a request to `/__proxy__/fetch` describes. */
async function readArgument({ request }: Sent): Promise<Record<string, unknown>> {
  return await request.json() as Record<string, unknown>;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("createFetch", () => {
  it("hands on method, headers and body through a url link", async () => {
    const sent = recordFetch();
    const response = await createFetch(BASE)("https://a.test/p?q=1", {
      method: "PUT",
      headers: { "x-a": "1" },
      body: "abc",
    });
    const request = sent[0]?.request;
    expect(await response.text()).toBe("ok");
    expect([request?.method, request?.url, request?.headers.get("x-a"), await request?.text()]).toEqual([
      "PUT",
      `${BASE}/__proxy__/?url=https%3A%2F%2Fa.test%2Fp%3Fq%3D1`,
      "1",
      "abc",
    ]);
  });

  it("takes a Request, and signs where it has a key", async () => {
    const { request } = await send(SIGNED, new Request("https://a.test/"));
    expect(request.url).toMatch(/\?url=https%3A%2F%2Fa\.test%2F&exp=4102444800&sig=[\w-]{43}$/);
  });

  it.each([
    { about: "a POST", init: { method: "POST", body: "ü" }, argument: { method: "POST", body: "ü" } },
    { about: "a GET", init: {}, argument: { method: "GET" } },
    {
      about: "a manual redirect",
      init: { redirect: "manual" },
      argument: { method: "GET", redirect: "manual" },
    },
    {
      about: "a byte order mark",
      init: { method: "PUT", body: "\ufeffx" },
      argument: { method: "PUT", body: "\ufeffx" },
    },
  ] as { about: string; init: RequestInit; argument: object }[])(
    "describes $about in arg mode",
    async (row) => {
      const sent = await send({ mode: "arg" }, "https://a.test/", row.init);
      const { headers: _, ...described } = await readArgument(sent);
      expect([sent.request.method, sent.request.url]).toEqual(["POST", ENTRY]);
      expect(described).toEqual({ url: "https://a.test/", ...row.argument });
    },
  );

  it("describes no body that is not text", async () => {
    const sent = recordFetch();
    const asked = createFetch(BASE, { mode: "arg" })("https://a.test/", {
      method: "PUT",
      body: Uint8Array.of(0x61, 0xff),
    });
    await expect(asked).rejects.toThrow(TypeError);
    expect(sent).toEqual([]);
  });
});

describe("the body that createFetch sends", () => {
  const form = new FormData();
  form.set("a", "1");

  it.each([
    { about: "text", body: "abc", type: "text/plain;charset=UTF-8", text: "abc" },
    { about: "bytes", body: Uint8Array.of(97, 98), type: null, text: "ab" },
    {
      about: "parameters",
      body: new URLSearchParams({ a: "1" }),
      type: "application/x-www-form-urlencoded;charset=UTF-8",
      text: "a=1",
    },
    {
      about: "a form",
      body: form,
      type: expect.stringMatching(/^multipart\/form-data; boundary=/),
      text: expect.stringContaining('name="a"\r\n\r\n1\r\n'),
    },
  ])("is whole where it is $about", async ({ body, type, text }) => {
    const { request, init } = await send({}, "https://a.test/", { method: "POST", body });
    expect([init.body, init.duplex]).toEqual([expect.any(ArrayBuffer), undefined]);
    expect([request.headers.get("content-type"), await request.text()]).toEqual([type, text]);
  });

  it("is whole where it comes in a Request", async () => {
    const given = new Request("https://a.test/", { method: "POST", body: "abc" });
    expect((await send({}, given)).init.body).toEqual(new TextEncoder().encode("abc").buffer);
  });

  it.each([{ method: "GET" }, { method: "DELETE" }, { method: "POST", body: "" }])(
    "is none with $method $body",
    async (init) => expect((await send({}, "https://a.test/", init)).init.body).toBeNull(),
  );

  it("is a stream where the caller gives one", async () => {
    const parts = { method: "POST", body: new Blob(["abc"]).stream(), duplex: "half" };
    const { request, init } = await send({}, "https://a.test/", parts);
    expect([init.body, init.duplex]).toEqual([expect.any(ReadableStream), "half"]);
    expect(await request.text()).toBe("abc");
  });

  it.each([
    { about: "before", start: () => AbortSignal.abort(), name: "AbortError" },
    { about: "while it is read", start: () => AbortSignal.timeout(10), name: "TimeoutError" },
  ])("is not waited for when the caller goes $about", async ({ start, name }) => {
    const sent = recordFetch();
    const parts = { method: "POST", body: new ReadableStream(), duplex: "half", signal: start() };
    const given = new Request("https://a.test/", parts);
    await expect(createFetch(BASE)(given)).rejects.toMatchObject({ name });
    expect(sent).toEqual([]);
  });
});

describe("a mistake in createFetch", () => {
  it.each([
    { base: "localhost:8080" },
    { base: "/proxy" },
    { base: "" },
    { base: "http://" },
    { base: "ftp://a.test" },
    { base: new URL("file:///x") },
  ])("shows at once: base $base", ({ base }) => {
    expect(() => createFetch(base)).toThrow(TypeError);
    expect(() => createFetch(base)).toThrow(`Cannot use base ${base}: `);
  });

  it.each([{ expires: NaN }, { expires: new Date("x") }, { expires: -1 }, { expires: 1e12 }])(
    "shows at once: expires $expires",
    ({ expires }) => {
      expect(() => createFetch(BASE, { key: "k", expires })).toThrow(RangeError);
    },
  );
});
