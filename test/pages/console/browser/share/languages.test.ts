import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LANGUAGES } from "../../../../../src/pages/console/browser/share/languages/languages.ts";
import { writeFetch } from "../../../../../src/pages/console/browser/share/languages/fetch.ts";
import { writeHttpie } from "../../../../../src/pages/console/browser/share/languages/httpie.ts";
import {
  throughProxy,
  writeProxiedCurl,
} from "../../../../../src/pages/console/browser/share/languages/through-proxy.ts";
import { decodeArg } from "../../../../../src/address/arg.ts";
import { CASES, expected, received } from "../../../../support/copied-code.ts";
import { listen, type Upstream } from "../../../../support/upstream.ts";

const run = promisify(execFile);
const BASE = "http://localhost:8080";

/** What `fetch` of the runtime adds, and which of ours it replaces. */
const OF_FETCH = new Set(["accept", "user-agent", "accept-encoding", "cache-control", "pragma"]);
/** What `fetch` cannot express: a host of its own, other bytes in a path, several lines of a name. */
const FETCHABLE = CASES.filter(({ headers, path }) =>
  !headers.some(([name]) => name === "host") && !path.includes("..") && !path.includes("'") &&
  new Set(headers.map(([name]) => name.toLowerCase())).size === headers.length
);

describe("code in JavaScript", () => {
  let target: Upstream;
  beforeAll(async () => void (target = await listen()));
  afterAll(() => target.close());

  it.each(FETCHABLE)("sends $method $path", async ({ path, ...rest }) => {
    target.requests.length = 0;
    const request = { ...rest, url: target.origin + path };
    // It is code for a module: what it says is run, nothing is read from it.
    await new Function(`return (async () => { ${writeFetch(request)} })()`)();
    const wanted = expected(request);
    const got = received(target, target.host);
    const drop = ([name]: [string, unknown]) => !OF_FETCH.has(name);
    const fields = (said: typeof got) => Object.fromEntries(Object.entries(said.fields).filter(drop));
    expect({ ...got, fields: fields(got) }).toEqual({ ...wanted, fields: fields(wanted) });
  });

  it("says what fetch cannot do", () => {
    const request = {
      method: "GET",
      url: "http://a.test/",
      headers: [["cookie", "a=1"], ["x-a", "1"], ["x-a", "2"]] as [string, string][],
      body: "b",
    };
    expect(writeFetch(request).split("\n").filter((line) => line.startsWith("//"))).toEqual([
      "// A page cannot send cookie; programs can.",
      "// fetch joins the lines of a repeated name by a comma.",
      "// fetch refuses a body with GET and HEAD.",
    ]);
  });
});

describe("a command for HTTPie", () => {
  const items = async (command: string): Promise<string[]> => {
    // A stand-in that says what a shell hands to it: arguments, and what is piped in.
    const stand = `http() { printf '%s\\0' "$@"; case " $* " in *--ignore-stdin*) ;; *) cat; esac; }; `;
    const { stdout } = await run("bash", ["-c", stand + command], { encoding: "latin1" });
    return stdout.split("\0");
  };

  it.each([
    {
      request: { method: "GET", headers: [["accept", "a/b"], ["x-empty", ""]] },
      args: [
        "--ignore-stdin",
        "GET",
        "http://a.test/?q='1'",
        "accept:a/b",
        "x-empty;",
        "User-Agent:",
        "Accept-Encoding:",
      ],
    },
    {
      request: { method: "POST", headers: [["x-a", "=1"], ["x-b", "gr\xfc\xdf"]], body: "it's\n@all" },
      args: [
        ...["--ignore-stdin", "POST", "http://a.test/?q='1'", "x-a:\\=1", "x-b:gr\xfc\xdf"],
        ...["User-Agent:", "Accept:", "Accept-Encoding:", "Content-Type:", "--raw=it's\n@all"],
      ],
    },
    {
      request: { method: "PUT", headers: [["content-type", "a/b"]], body: Uint8Array.of(255, 254, 65) },
      args: [
        ...["PUT", "http://a.test/?q='1'", "content-type:a/b", "User-Agent:", "Accept:", "Accept-Encoding:"],
        "\xff\xfeA",
      ],
    },
  ])("hands over $args", async ({ request, args }) => {
    const command = writeHttpie(
      { url: "http://a.test/?q='1'", ...request } as Parameters<typeof writeHttpie>[0],
    );
    expect((await items(command)).filter(Boolean)).toEqual(args);
  });
});

describe("through the proxy", () => {
  it.each([
    {
      what: "plain fields go as they are",
      headers: [["accept", "a/b"], ["x", "1"], ["x", "2"]],
      plain: [["accept", "a/b"], ["x", "1"], ["x", "2"]],
      carried: undefined,
      notes: [],
    },
    {
      what: "rewritten ones are carried",
      headers: [["Origin", "https://shop.test"], ["x-real-ip", "192.0.2.1"]],
      plain: [],
      carried: { origin: "https://shop.test", "x-real-ip": "192.0.2.1" },
      notes: [],
    },
    {
      what: "own cookies are carried",
      headers: [["cookie", "proxy_host=1"]],
      plain: [],
      carried: { cookie: "proxy_host=1" },
      notes: [],
    },
    {
      what: "the host is ours",
      headers: [["host", "shop.test"]],
      plain: [],
      carried: undefined,
      notes: ["host is for the proxy to set"],
    },
    {
      what: "a doubled one is told",
      headers: [["origin", "a"], ["origin", "b"]],
      plain: [],
      carried: { origin: "a" },
      notes: ["Only the first origin goes out"],
    },
  ])("$what", ({ headers, plain, carried, notes }) => {
    const request = { method: "GET", url: "https://api.test/a?b", headers: headers as [string, string][] };
    const { request: proxied, notes: told } = throughProxy(request, BASE);
    const [host, ...fields] = proxied.headers;
    const [[name, value] = ["", ""]] = fields;
    expect(proxied.url).toBe(`${BASE}/a?b`);
    expect(host).toEqual(["proxy_host", "https://api.test"]);
    expect(name === "proxy_headers" ? decodeArg(value) : undefined).toEqual(carried);
    expect(name === "proxy_headers" ? fields.slice(1) : fields).toEqual(plain);
    expect(told).toEqual(notes);
  });

  it("a path of the proxy's own goes by its address, which is told", () => {
    const request = { method: "GET", url: "https://api.test/__proxy__/", headers: [] };
    expect(writeProxiedCurl(request, { base: BASE, needsToken: true }).split("\n")).toEqual([
      "# Follows redirects",
      `curl '${BASE}/__proxy__/fetch?url=https%3A%2F%2Fapi.test%2F__proxy__%2F' \\`,
      "  -H 'user-agent:' \\",
      "  -H 'accept:' \\",
      `  -H "proxy_token: $PROXY_TOKEN"`,
    ]);
  });
});

it("each language is there by name", () => {
  expect(LANGUAGES.map(({ name }) => name)).toEqual(["curl", "fetch", "Python", "Go", "HTTPie"]);
});
