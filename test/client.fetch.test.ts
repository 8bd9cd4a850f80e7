import { afterEach, describe, expect, it, vi } from "vitest";
import { createFetch } from "../src/client.ts";

const BASE = "http://localhost:8080";

function recordFetch(): Request[] {
  const sent: Request[] = [];
  vi.stubGlobal("fetch", (input: RequestInfo | URL, init?: RequestInit) => {
    sent.push(new Request(input, init));
    return Promise.resolve(new Response("ok"));
  });
  return sent;
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
    const [request] = sent;
    expect(await response.text()).toBe("ok");
    expect([request?.method, request?.url, request?.headers.get("x-a"), await request?.text()]).toEqual([
      "PUT",
      `${BASE}/__proxy__/?url=https%3A%2F%2Fa.test%2Fp%3Fq%3D1`,
      "1",
      "abc",
    ]);
  });

  it("takes a Request, and signs where it has a key", async () => {
    const sent = recordFetch();
    await createFetch(BASE, { key: "k", expires: 4102444800 })(new Request("https://a.test/"));
    expect(sent[0]?.url).toMatch(/\?url=https%3A%2F%2Fa\.test%2F&exp=4102444800&sig=[\w-]{43}$/);
  });

  it.each([
    { about: "a POST", init: { method: "POST", body: "ü" }, argument: { method: "POST", body: "ü" } },
    { about: "a GET", init: {}, argument: { method: "GET" } },
    {
      about: "a manual redirect",
      init: { redirect: "manual" },
      argument: { method: "GET", redirect: "manual" },
    },
  ] as { about: string; init: RequestInit; argument: object }[])(
    "describes $about in arg mode",
    async (row) => {
      const sent = recordFetch();
      await createFetch(BASE, { mode: "arg" })("https://a.test/", row.init);
      const [request] = sent;
      const { headers: _, ...described } = (await request?.json()) as { headers: unknown };
      expect([request?.method, request?.url]).toEqual(["POST", `${BASE}/__proxy__/fetch`]);
      expect(described).toEqual({ url: "https://a.test/", ...row.argument });
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

  it.each([{ expires: NaN }, { expires: new Date("x") }, { expires: -1 }, { expires: 1e12 }])(
    "shows at once: expires $expires",
    ({ expires }) => {
      expect(() => createFetch(BASE, { key: "k", expires })).toThrow(RangeError);
    },
  );
});
