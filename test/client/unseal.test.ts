/** Opening sealed responses. @module */
import { describe, expect, it } from "vitest";
import { encodeHead, type SealedHead } from "../../src/core/address/sealed-head.ts";
import { openResponse, readHead } from "../../src/client/unseal.ts";
import { HEAD_FIELD } from "../../src/core/http/headers.ts";

const ASKED = "https://a.test/p#part";

function seal(parts: Partial<SealedHead> = {}, body: string | null = "made"): Response {
  const head: SealedHead = { status: 201, statusText: "Made", headers: [["set-cookie", "a=1"]], ...parts };
  return new Response(body, { headers: { [HEAD_FIELD]: encodeHead(head), "content-length": "4" } });
}

describe("openResponse", () => {
  it("gives what the target sent", async () => {
    const opened = openResponse(seal(), ASKED, false);
    const { status, statusText, url, redirected } = opened;
    expect({ status, statusText, url, redirected })
      .toEqual({ status: 201, statusText: "Made", url: "https://a.test/p", redirected: false });
    expect([...opened.headers.keys()]).toEqual(["set-cookie"]);
    expect(await opened.text()).toBe("made");
  });

  it.each([
    { headers: [["x-final-url", "https://b.test/"]], isRedirected: false, url: "https://b.test/" },
    { headers: [], isRedirected: true, url: "https://a.test/p" },
  ] as { headers: [string, string][]; isRedirected: boolean; url: string }[])(
    "says where it ended: $url",
    ({ headers, isRedirected, url }) => {
      const opened = openResponse(seal({ headers }), ASKED, isRedirected);
      expect([opened.url, opened.redirected]).toEqual([url, true]);
    },
  );

  it.each([204, 205, 304])("has no body with %s", (status) => {
    expect(openResponse(seal({ status }, ""), ASKED, false)).toMatchObject({ status, body: null });
  });

  it("leaves a response that is not sealed", () => {
    const plain = new Response("x");
    expect(openResponse(plain, ASKED, false)).toBe(plain);
  });
});

describe("readHead", () => {
  it("reads a sealed response, an opened one and its clone", () => {
    const opened = openResponse(seal(), ASKED, false);
    const heads = [seal(), opened, opened.clone(), opened.clone().clone()].map(readHead);
    expect(heads.map((head) => [head?.status, head?.statusText, head?.headers.getSetCookie()]))
      .toEqual(heads.map(() => [201, "Made", ["a=1"]]));
    expect([opened.clone().url, opened.clone().redirected]).toEqual([opened.url, false]);
  });

  it.each([undefined, "x"])("is undefined for %s", (head) => {
    expect(readHead(new Response("", { headers: head ? { [HEAD_FIELD]: head } : {} }))).toBeUndefined();
  });
});
