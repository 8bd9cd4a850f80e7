/** Which request is asked about. @module */
import { describe, expect, it } from "vitest";
import { readQuestion, readWanted } from "../../../src/parts/explain/question.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { alike, rowsOf } from "../../support/rows.ts";

const at = (query: string) => exchangeOf({ path: `/__proxy__/explain?${query}` });

describe("readWanted", () => {
  it.each(rowsOf(["query", "kind", "value", "method", "looksUp", "isSocket"], [
    ["url=http%3A%2F%2Fa.test%2F", "url", "http://a.test/", "GET", false, false],
    ["dns=true&url=http://a.test/?dns=x&path=/", "url", "http://a.test/?dns=x&path=/", "GET", true, false],
    ["arg=e30", "arg", "e30", "GET", false, false],
    ["path=/a&method=POST&dns=false", "path", "/a", "POST", false, false],
    ["path=/a&method=M%2DA%2BB", "path", "/a", "M-A+B", false, false],
    ["url=%zz", "url", null, "GET", false, false],
    ["socket=true&path=/a", "path", "/a", "GET", false, true],
  ]))("reads $query", ({ query, ...wanted }) => expect(readWanted(at(query))).toEqual(wanted));

  it.each([
    { query: "", names: "its query" },
    { query: "path=/&arg=e30", names: "its query" },
    { query: "path=/&dns=1", names: "dns" },
    ...alike("query", {
      names: "socket",
    })`path=/&socket=1 path=/&socket=true&method=POST arg=e30&socket=true`,
    ...alike("query", {
      names: "method",
    })`path=/&method=a(b path=/&method=a%20b path=/&method=%zz arg=e30&method=GET`,
  ])("refuses $query", ({ query, names }) => {
    expect(() => readWanted(at(query))).toThrow(`Cannot explain this: ${names} is not usable, expected `);
  });
});

describe("readQuestion", () => {
  const ask = (query: string) => readQuestion(at(query), readWanted(at(query)));

  it("takes a path of the proxy's own for what it means", async () => {
    const query = `path=${encodeURIComponent("/__proxy__/?url=http://a.test/x?y")}&method=POST`;
    const { asked, target } = await ask(query);
    expect(target).toMatchObject({ selector: "url", path: "/x?y", follow: false });
    expect(asked.incoming.method).toBe("POST");
    expect((await ask("path=/__proxy__/health")).target).toBeUndefined();
  });

  it("describes the request of an arg, not that of its caller", async () => {
    const arg = btoa('{"url":"http://a.test/","method":"PUT","redirect":"manual"}');
    const { asked, target } = await ask(`arg=${arg}`);
    expect([asked.described?.method, target]).toMatchObject(["PUT", { selector: "arg", follow: false }]);
  });

  it.each([
    { fields: { authorization: "Bearer t0ken" }, code: "token_missing" },
    { fields: { authorization: "Bearer t0ken", proxy_token: "t0ken" }, code: undefined },
  ])("knows that Authorization belongs to the target of a request: $fields → $code", async (row) => {
    const fields = { ...row.fields, proxy_host: "http://a.test" };
    const exchange = exchangeOf({ options: { proxyToken: "t0ken" }, fields });
    const asked = ["url=http://a.test/", "path=/__proxy__/?url=http://a.test/", "path=/"].map((query) =>
      readQuestion(exchange, readWanted(at(query)))
    );
    const codes = (await Promise.all(asked)).map(({ target }) => (target as { code?: string }).code);
    expect(codes).toEqual(asked.map(() => row.code));
  });

  it("knows which methods the page of an arg takes", async () => {
    const path = encodeURIComponent(`/__proxy__/fetch?arg=${btoa('{"url":"http://a.test/"}')}`);
    expect(await ask(`path=${path}&method=PUT`)).toMatchObject({ target: { code: "method_not_allowed" } });
    expect(await ask(`path=${path}&method=HEAD`)).toMatchObject({ target: { selector: "arg" } });
  });

  it.each(rowsOf(["query", "code"], [
    ["path=/&method=CONNECT", "method_not_allowed"],
    ["method=TRACE&url=http://a.test/", "method_not_allowed"],
    ["path=/&socket=true", "bad_request"],
    ["path=/__proxy__/health&socket=true", "bad_request"],
    ["path=/__proxy__/fetch%3Farg=eyJ1cmwiOiJodHRwOi8vYS50ZXN0LyJ9&socket=true", "bad_request"],
    ["path=/__proxy__/health", undefined],
  ]))("knows what the door refuses: $query", async ({ query, code }) => {
    expect(((await ask(query)).target as { code?: string } | undefined)?.code).toBe(code);
  });

  it.each(rowsOf(["about", "options", "fields", "target"], [
    ["a preflight of a listed origin", { corsOrigins: "http://a.test" }, {}, undefined],
    ["one that needs no token", { corsOrigins: "*", proxyToken: "t" }, {}, undefined],
    ["a preflight of another origin", { corsOrigins: "http://b.test" }, {}, { code: "forbidden" }],
    ["one that the target answers", {}, {}, { selector: "header" }],
    ["what goes no further", {}, { origin: undefined, "max-forwards": "0" }, undefined],
  ]))("knows what the proxy itself answers of OPTIONS: $about", async ({ options, fields, target }) => {
    const sent = {
      proxy_host: "http://c.test",
      origin: "http://a.test",
      "access-control-request-method": "PUT",
    };
    const exchange = exchangeOf({ options, fields: { ...sent, ...fields } });
    const question = await readQuestion(exchange, readWanted(at("path=/&method=OPTIONS")));
    expect([question.target]).toMatchObject([target]);
    expect(question.selectors).toMatchObject([{ selector: "header" }]);
  });

  it("keeps the fault of what names no target", async () => {
    expect(await ask("url=nonsense")).toMatchObject({
      selectors: [{ selector: "url", value: "nonsense", fault: expect.stringContaining("expected") }],
      target: { code: "bad_request" },
    });
    expect(await ask("arg=e30")).toMatchObject({ target: { code: "bad_request" } });
  });

  it.each(["https:u:p@a.test", "https:\\\\u:p@a.test", "https:///u:p@a.test", "//u:p@a.test"])(
    "shows no password of an address, however it is written: %s",
    async (url) => {
      const [named] = (await ask(`url=${encodeURIComponent(url)}`)).selectors;
      expect(named).toMatchObject({ value: url.replace("u:p@", ""), fault: expect.any(String) });
    },
  );
});
