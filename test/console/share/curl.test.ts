/** A request as a `curl` command. That it does what the console does is tried in test/console-e2e. @module */
import { describe, expect, it } from "vitest";
import { decodeArg } from "../../../src/core/address/arg.ts";
import type { FetchArgument } from "../../../src/client/client.ts";
import { writeCurl, writeFileCurl } from "../../../src/console/share/curl.ts";
import { typedRows } from "../../support/rows.ts";

const CONTEXT = { base: "http://localhost:8080", needsToken: false };
const URL_LINK = "'http://localhost:8080/__proxy__/?url=https%3A%2F%2Fa.test%2Fp'";

const url = "https://a.test/p";

describe("writeCurl", () => {
  it.each(typedRows<{ about: string; argument: FetchArgument; code: string }>(["about", "argument", "code"], [
    ["GET", { url }, `curl ${URL_LINK}`],
    ["HEAD", { url, method: "HEAD" }, `curl --head ${URL_LINK}`],
    ["DELETE", { url, method: "DELETE" }, `curl -X DELETE ${URL_LINK}`],
    [
      "a body, which means POST",
      { url, method: "POST", headers: { "x-a": "it's" }, body: { a: 1 } },
      `curl ${URL_LINK} \\\n  -H 'x-a: it'\\''s' \\\n  -H 'content-type: application/json' \\\n  --data-raw '{"a":1}'`,
    ],
    [
      "a body without a type",
      { url, method: "PUT", body: "$(id) `id`" },
      `curl -X PUT ${URL_LINK} \\\n  -H 'content-type:' \\\n  --data-raw '$(id) \`id\`'`,
    ],
    [
      "a body with an empty type",
      { url, method: "POST", headers: { "content-type": "" }, body: "x" },
      `curl ${URL_LINK} \\\n  -H 'content-type;' \\\n  --data-raw 'x'`,
    ],
    ["an empty header", { url, headers: { accept: "" } }, `curl ${URL_LINK} \\\n  -H 'accept;'`],
    ["a cookie", { url, headers: { cookie: "sid=1" } }, `curl ${URL_LINK} \\\n  -H 'cookie: sid=1'`],
    [
      "redirects that are not to be followed",
      { url, redirect: "manual" },
      `curl 'http://localhost:8080/p' \\\n  -H 'proxy_host: https://a.test'`,
    ],
    ["a method that a shell would run", { url, method: "`ID`|SH" }, `curl -X '\`ID\`|SH' ${URL_LINK}`],
    ["a method that is an option", { url, method: "-O" }, `curl -X '-O' ${URL_LINK}`],
    ["brackets, which curl takes for patterns", {
      url: `${url}?a[1]={b,c}`,
      method: "HEAD",
      redirect: "manual",
    }, `curl --globoff --head 'http://localhost:8080/p?a[1]={b,c}' \\\n  -H 'proxy_host: https://a.test'`],
  ]))("$about", ({ argument, code }) => expect(writeCurl(argument, CONTEXT).text).toBe(code));

  it.each<{ about: string; argument: FetchArgument; option?: string }>([
    { about: "an origin", argument: { url, headers: { Origin: "https://b.test" } } },
    { about: "a host", argument: { url, headers: { host: "b.test" } } },
    { about: "what browsers tell", argument: { url, headers: { "sec-fetch-site": "cross-site" } } },
    { about: "who called", argument: { url, headers: { "X-Forwarded-For": "192.0.2.1" } } },
    { about: "the proxy's own header", argument: { url, headers: { proxy_host: "https://b.test" } } },
    { about: "a Proxy-* header", argument: { url, headers: { "proxy-connection": "close" } } },
    { about: "the proxy's own cookie", argument: { url, headers: { cookie: "a=1; proxy_host=x" } } },
    { about: "a length", argument: { url, method: "POST", headers: { "content-length": "9" }, body: "x" } },
    { about: "a header beyond ASCII", argument: { url, headers: { "x-a": "ü" } } },
    { about: "a HEAD with a body", argument: { url, method: "HEAD", body: "x" }, option: "--head " },
    { about: "a GET with a body", argument: { url, body: "x" } },
    { about: "a method in lower case", argument: { url, method: "post" } },
    {
      about: "a path that is the proxy's own",
      argument: { url: "https://a.test/__proxy__/health", redirect: "manual" },
    },
    { about: "a user", argument: { url: "https://me:secret@a.test/", redirect: "manual" } },
    { about: "dot segments", argument: { url: "https://a.test/a/../b", redirect: "manual" } },
  ])("describes $about by arg", ({ argument, option = "" }) => {
    const [start, arg = ""] = writeCurl(argument, CONTEXT).text.split("?arg=");
    expect(start).toBe(`curl ${option}'http://localhost:8080/__proxy__/fetch`);
    expect(decodeArg(arg.replace(/'$/, ""))).toEqual(argument);
  });

  it.each<{ headers: Record<string, string> }>([{ headers: {} }, { headers: { origin: "https://b.test" } }])(
    "leaves the token to the shell, with $headers",
    ({ headers }) =>
      expect(writeCurl({ url, headers }, { ...CONTEXT, needsToken: true }).text)
        .toMatch(/' \\\n {2}-H "proxy_token: \$PROXY_TOKEN"$/),
  );
});

describe("writeFileCurl", () => {
  const content = new Blob([]);
  const request = { url, method: "a|sh", headers: [], redirect: "follow" as const };

  it("quotes the method, and lets no name or type say more than it is", () => {
    const file = { name: "-", type: "text/plain;headers=@/etc/passwd", content };
    const fields = [{ name: "a", value: "@/etc/passwd" }, { name: "f", value: "", file }];
    expect(writeFileCurl({ ...request, files: { fields } }, CONTEXT).text)
      .toBe(`curl -X 'a|sh' ${URL_LINK} \\\n  --form-string 'a=@/etc/passwd' \\\n  -F 'f=@"./-"'`);
    expect(writeFileCurl({ ...request, files: { file } }, CONTEXT).text).toMatch(/--data-binary '@\.\/-'$/);
  });

  it("writes no part whose name would name another file", () => {
    const fields = [{ name: "a=</etc/passwd;b", value: "", file: { name: "f", type: "", content } }];
    expect(writeFileCurl({ ...request, files: { fields } }, CONTEXT))
      .toEqual({ text: "", note: "curl can't write a part whose name has an =" });
  });
});
