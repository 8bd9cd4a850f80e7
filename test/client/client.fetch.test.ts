import { afterEach, describe, expect, it, vi } from "vitest";
import { decodeArg } from "../../src/core/address/arg.ts";
import { createFetch, type FetchOptions } from "../../src/client/client.ts";
import { verifyLink } from "../../src/parts/links/signed-link.ts";
import { rowsOf } from "../support/rows.ts";

const BASE = "http://localhost:8080";
const LINK = `${BASE}/__proxy__/?url=https%3A%2F%2Fa.test%2F`;
const ENTRY = `${BASE}/__proxy__/fetch`;
const READ_BEFORE = "Cannot send this request: its body was already read";
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

async function makeRead(): Promise<Request> {
  const request = new Request("https://a.test/", { method: "POST", body: "abc" });
  await request.text();
  return request;
}

/** What a request to `/__proxy__/fetch` describes, posted or in its address. */
async function readArgument({ request }: Sent): Promise<Record<string, unknown> | undefined> {
  const arg = new URL(request.url).searchParams.get("arg");
  return arg === null ? await request.json() : decodeArg(arg);
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("createFetch", () => {
  it("may take the place of the global one", async () => {
    const sent = recordFetch();
    vi.stubGlobal("fetch", createFetch(BASE));
    await fetch("https://a.test/");
    expect(sent).toHaveLength(1);
  });

  it("hands on method, headers and body through a url link", async () => {
    const sent = recordFetch();
    const response = await createFetch(BASE)("https://a.test/p?q=1", {
      method: "PUT",
      headers: { "x-a": "1" },
      body: "abc",
    });
    const request = sent[0]?.request;
    expect(await response.text()).toBe("ok");
    expect([request?.method, request?.url, request?.headers.get("x-a"), await request?.text()])
      .toEqual(["PUT", `${BASE}/__proxy__/?url=https%3A%2F%2Fa.test%2Fp%3Fq%3D1`, "1", "abc"]);
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
      about: "a redirect that is an error",
      init: { method: "DELETE", redirect: "error" },
      argument: { method: "DELETE", redirect: "manual" },
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
      const { headers: _, ...described } = await readArgument(sent) ?? {};
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

  it.each(rowsOf(["about", "body", "type", "text"], [
    ["text", "abc", "text/plain;charset=UTF-8", "abc"],
    ["bytes", Uint8Array.of(97, 98), null, "ab"],
    ["parameters", new URLSearchParams({ a: "1" }), "application/x-www-form-urlencoded;charset=UTF-8", "a=1"],
    [
      "a form",
      form,
      expect.stringMatching(/^multipart\/form-data; boundary=/),
      expect.stringContaining('name="a"\r\n\r\n1\r\n'),
    ],
  ]))("is whole where it is $about", async ({ body, type, text }) => {
    const { request, init } = await send({}, "https://a.test/", { method: "POST", body });
    expect([init.body, init.duplex]).toEqual([expect.any(Blob), undefined]);
    expect([request.headers.get("content-type"), await request.text()]).toEqual([type, text]);
  });

  it.each([{ method: "GET" }, { method: "DELETE" }, { method: "POST", body: "" }])(
    "is none with $method $body",
    async (init) => expect((await send({}, "https://a.test/", init)).init.body).toBeNull(),
  );

  it.each([{ init: undefined }, { init: {} }, { init: { body: null } }])(
    "is none that was read before, with $init",
    async ({ init }) => {
      const sent = recordFetch();
      const asked = createFetch(BASE)(await makeRead(), init);
      await expect(asked).rejects.toThrow(new TypeError(READ_BEFORE));
      expect(sent).toEqual([]);
    },
  );

  it("is another one in place of one that was read before", async () => {
    const { request } = await send({}, await makeRead(), { body: "new" });
    expect([request.method, await request.text()]).toEqual(["POST", "new"]);
  });

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

describe("a redirect through createFetch", () => {
  it.each(
    [
      { mode: "url", method: "GET", redirect: "follow", goes: `GET ${LINK}` },
      { mode: "url", method: "GET", redirect: "manual", goes: `POST ${ENTRY}` },
      { mode: "url", method: "GET", redirect: "error", goes: `POST ${ENTRY}` },
      { mode: "url", method: "PUT", redirect: "follow", goes: `PUT ${LINK}` },
      { mode: "url", method: "PUT", redirect: "manual", goes: `PUT ${LINK}` },
      { mode: "url", method: "PUT", redirect: "error", goes: `PUT ${LINK}` },
      { mode: "arg", method: "GET", redirect: "follow", goes: `POST ${ENTRY}` },
      { mode: "arg", method: "GET", redirect: "manual", goes: `POST ${ENTRY}` },
      { mode: "arg", method: "PUT", redirect: "error", goes: `POST ${ENTRY}` },
    ] as const,
  )("is $redirect with $method in mode $mode", async ({ mode, method, redirect, goes }) => {
    const { request } = await send({ mode }, "https://a.test/", { method, redirect });
    expect([`${request.method} ${request.url}`, request.redirect]).toEqual([goes, redirect]);
  });

  it("of a HEAD is asked for with HEAD, so that lengths stay true", async () => {
    const sent = await send({}, "https://a.test/", { method: "HEAD", redirect: "manual" });
    expect([sent.request.method, sent.request.url])
      .toEqual(["HEAD", expect.stringContaining(`${ENTRY}?arg=`)]);
    expect(await readArgument(sent)).toMatchObject({ method: "HEAD", redirect: "manual" });
  });
});

describe("a key of createFetch", () => {
  it.each(
    [
      { mode: "arg", method: "GET", redirect: "follow", cache: "default" },
      { mode: "arg", method: "POST", redirect: "follow", cache: "no-store" },
      { mode: "url", method: "GET", redirect: "manual", cache: "default" },
    ] as const,
  )("signs $method in mode $mode, redirect $redirect", async ({ mode, method, redirect, cache }) => {
    const sent = await send({ mode, ...SIGNED }, "https://a.test/", { method, redirect });
    const { request } = sent;
    expect([request.method, request.cache]).toEqual(["GET", cache]);
    expect(await verifyLink(request.url.slice(BASE.length), "k", 0)).toBe("valid");
    expect(await readArgument(sent)).toMatchObject({ url: "https://a.test/", method });
  });

  it.each([{ mode: "arg", throws: true }, { mode: "url", throws: false }] as const)(
    "signs no description that is too long: $mode",
    async ({ mode, throws }) => {
      const sent = recordFetch();
      const call = createFetch(BASE, { mode, ...SIGNED });
      const asked = call("https://a.test/", { method: "POST", body: "x".repeat(60_000) });
      const seen = await asked.then(() => undefined, (error: unknown) => error);
      expect(seen instanceof RangeError && /expected at most 60000/.test(seen.message)).toBe(throws);
      expect(sent).toHaveLength(throws ? 0 : 1);
    },
  );
});

describe("what else is said of a request", () => {
  const MANNER = {
    credentials: "include",
    cache: "no-store",
    mode: "same-origin",
    keepalive: true,
    integrity: "sha256-AAAA",
    referrerPolicy: "no-referrer",
  } as const;

  it.each([{ mode: "url" }, { mode: "arg" }] as const)(
    "holds for the proxy in mode $mode",
    async ({ mode }) => {
      const { request } = await send({ mode }, "https://a.test/", { method: "PUT", body: "x", ...MANNER });
      expect(request).toMatchObject(MANNER);
    },
  );

  it("is left out where no caller may ask for it", async () => {
    vi.stubGlobal(
      "Request",
      class extends Request {
        override get mode(): RequestMode {
          return "navigate";
        }
      },
    );
    expect((await send({}, "https://a.test/")).init.mode).toBeUndefined();
  });

  it.each([
    { options: {}, init: { redirect: "manual" } },
    { options: { mode: "arg" }, init: {} },
    { options: { mode: "arg", ...SIGNED }, init: {} },
  ] as { options: FetchOptions; init: RequestInit }[])(
    "shows the proxy its token, and only the proxy, with $options and $init",
    async ({ options, init }) => {
      const headers = { proxy_token: "t", "Proxy-Token": "t", "Proxy-Authorization": "Bearer t", "x-a": "1" };
      const sent = await send(options, "https://a.test/", { ...init, headers });
      expect(
        ["proxy_token", "proxy-token", "proxy-authorization"].map((name) => sent.request.headers.get(name)),
      )
        .toEqual(["t", "t", "Bearer t"]);
      expect(await readArgument(sent)).toHaveProperty("headers", { "x-a": "1" });
    },
  );
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

  it.each(
    [{ mode: "url" }, { mode: "url", redirect: "manual" }, { mode: "arg" }] as (FetchOptions & RequestInit)[],
  )(
    "shows before it is sent: a target without http or https, in $mode, $redirect",
    async ({ mode, redirect }) => {
      const sent = recordFetch();
      const asked = createFetch(BASE, { mode })("localhost:3000/x", { redirect });
      await expect(asked).rejects.toThrow('Cannot use target "localhost:3000/x": its scheme is localhost:');
      expect(sent).toEqual([]);
    },
  );

  it.each([{ expires: NaN }, { expires: new Date("x") }, { expires: -1 }, { expires: 1e12 }])(
    "shows at once: expires $expires",
    ({ expires }) => expect(() => createFetch(BASE, { key: "k", expires })).toThrow(RangeError),
  );
});
