/** `/__proxy__/?url=`: the address, and what is forwarded to it. @module */
import { describe, expect, it } from "vitest";
import { createProxy } from "../../../src/index.ts";
import { incoming, target } from "../../support/handle.ts";
import { textRows, words } from "../../support/rows.ts";

describe("the address", () => {
  it.each([
    { query: "url=http%3A%2F%2Fa.test%2Fp%3Fx%3D%2526", asked: "http://a.test/p?x=%26" },
    { query: "url=https://a.test:8443", asked: "https://a.test:8443/" },
    { query: "url=http://a.test\\@evil.test/", asked: "http://a.test/@evil.test/" },
  ])("$query asks for $asked", async ({ query, asked }) => {
    const { sent, runtime } = target();
    const response = await createProxy().handle(incoming(`/__proxy__/?${query}`), runtime);
    expect(response.status).toBe(200);
    expect(sent.map(({ origin, path }) => origin.origin + path)).toEqual([asked]);
    expect(sent[0]?.headers.get("host")).toBe(new URL(asked).host);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it.each(words`url= url url=%zz url=http%3A%2F%2Fa.test%2F%FF url=a.test url=//a.test/ url=/x
    url=http%253A%252F%252Fa.test url=ftp://a.test/ url=file:///etc/passwd url=data:text/html,x
    url=blob:http://a.test/x url=javascript:alert(1) url=http:// url=http:///a.test url=http://a.test:99999/
    url=http%3A%2F%2Fa.test%2F%0D%0Ax url=http%3A%2F%2Fa.test%00 url=&host=https://b.test`)(
    "%s is a 400 that names url, and nothing is sent",
    async (query) => {
      const { sent, runtime } = target();
      const response = await createProxy().handle(incoming(`/__proxy__/?${query}`), runtime);
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({
        title: "Proxy Error",
        detail: expect.stringMatching(/^Cannot .*\b(url|address)\b.*, expected .+/),
      });
      expect(response.headers.getSetCookie()).toEqual([]);
      expect(sent).toEqual([]);
    },
  );
});

describe("redirects", () => {
  const moved = (location: string, status = 302) => ({ status, headers: new Headers({ location }) });

  it.each(words`POST PUT DELETE FOO get`)(
    "are handed on for %s, and lead through the proxy",
    async (method) => {
      const { sent, runtime } = target(moved("/next", 307));
      const response = await createProxy().handle(
        incoming("/__proxy__/?url=http://a.test/x", {}, method),
        runtime,
      );
      expect(response.status).toBe(307);
      expect(sent).toHaveLength(1);
      expect(response.headers.has("x-final-url")).toBe(false);
      expect(response.headers.get("location")).toBe(
        "http://localhost:8080/__proxy__/?url=http%3A%2F%2Fa.test%2Fnext",
      );
    },
  );
});

it.each(textRows(["path", "detail"])`
  /__proxy__/at/openai/v1 | Cannot use the label in /__proxy__/at/<label>/: no setting has a label openai
  /__proxy__/at/a-test/v1 | Cannot reach a.test: its name does not resolve
  /__proxy__/?url=https://openai/v1 | Cannot reach openai: its name does not resolve`)(
  "$path says that it does not resolve",
  async ({ path, detail }) => {
    const resolve = () => Promise.reject(Object.assign(new Error("none"), { code: "ENOTFOUND" }));
    const response = await createProxy().handle(incoming(path), { ...target().runtime, resolve });
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining(detail) });
  },
);
