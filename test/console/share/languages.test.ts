import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LANGUAGES } from "../../../src/console/inspector/copy-menu.ts";
import { writeCurl } from "../../../src/console/share/languages/shell.ts";
import { writeFetch } from "../../../src/console/share/languages/fetch-call.ts";
import { writeHttpie } from "../../../src/console/share/languages/shell.ts";
import { throughProxy, writeProxiedCurl } from "../../../src/console/share/languages/through-proxy.ts";
import { decodeArg } from "../../../src/core/address/arg.ts";
import type { PlainRequest } from "../../../src/console/share/languages/request-parts.ts";
import { CASES, expected, received } from "../../support/copied-code.ts";
import { listen, type Upstream } from "../../support/upstream.ts";
import { rowsOf, typedRows, words } from "../../support/rows.ts";

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

  it.each(rowsOf(["request", "args"], [
    [
      { method: "GET", headers: [["accept", "a/b"], ["x-empty", ""]] },
      words`--ignore-stdin -- GET http://a.test/?q='1' accept:a/b x-empty; User-Agent:
        Accept-Encoding:`,
    ],
    [{ method: "POST", headers: [["x-a", "=1"], ["x-b", "gr\xc3\xbc"]], body: "it's\n@all" }, [
      ...["--ignore-stdin", "--raw=it's\n@all", "--", "POST", "http://a.test/?q='1'", "x-a:\\=1"],
      ...["x-b:gr\xc3\xbc", "User-Agent:", "Accept:", "Accept-Encoding:", "Content-Type:"],
    ]],
    [{ method: "PUT", headers: [["content-type", "a/b"]], body: Uint8Array.of(255, 254, 65) }, [
      ...words`-- PUT http://a.test/?q='1' content-type:a/b User-Agent: Accept: Accept-Encoding:`,
      "\xff\xfeA",
    ]],
  ]))("hands over $args", async ({ request, args }) => {
    const command = writeHttpie(
      { url: "http://a.test/?q='1'", ...request } as Parameters<typeof writeHttpie>[0],
    );
    expect((await items(command)).filter(Boolean)).toEqual(args);
  });

  it("is none for a field that is not UTF-8", () => {
    const request = { method: "GET", url: "http://a.test/", headers: [["x-b", "gr\xfc\xdf"]] };
    expect(writeHttpie(request as PlainRequest)).toBe("# HTTPie cannot send these fields: curl can");
  });
});

describe("through the proxy", () => {
  it.each(rowsOf(["what", "headers", "plain", "carried", "notes"], [
    [
      "plain fields go as they are",
      [["accept", "a/b"], ["x", "1"], ["x", "2"]],
      [["accept", "a/b"], ["x", "1"], ["x", "2"]],
      undefined,
      [],
    ],
    ["rewritten ones are carried", [["Origin", "https://shop.test"], ["x-real-ip", "192.0.2.1"]], [], {
      origin: "https://shop.test",
      "x-real-ip": "192.0.2.1",
    }, []],
    ["own cookies are carried", [["cookie", "proxy_host=1"]], [], { cookie: "proxy_host=1" }, []],
    ["the host is ours", [["host", "shop.test"]], [], undefined, ["host is for the proxy to set"]],
    ["a doubled one is told", [["origin", "a"], ["origin", "b"]], [], { origin: "a" }, [
      "Only the first origin goes out",
    ]],
  ]))("$what", ({ headers, plain, carried, notes }) => {
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

/** A request whose parts a client could read as something else, and what a command for a shell hands to its program. */
interface Hostile {
  what: string;
  request: Partial<PlainRequest>;
}
const HOSTILE: Hostile[] = typedRows(["what", "request"], [
  ["a method that is an option", { method: "-o.bashrc" }],
  ["a method that is a long option", { method: "--OFFLINE" }],
  ["a method that is a host", { method: "evil.test" }],
  ["a method that a shell runs", { method: "`ID`|SH&" }],
  ["a method that a shell replaces", { method: "~$HOME*!!" }],
  ["a name that is an option", { headers: [["-o.bashrc", "x"], ["--output", ""]] }],
  ["a name that a shell runs", { headers: [["`id`", "x"], ["|sh", "y"], ["$HOME", ""]] }],
  ["doubled names that a shell runs", { headers: [["sec-`id`", "x"], ["sec-`id`", "y"]] }],
  ["a steering name that a shell runs", { headers: [["sec-websocket-|sh", "x"]] }],
  ["a name that is a file", { headers: [["@/etc/passwd", "x"]] }],
  ["a name of two lines", { headers: [["proxy-\nid", "x"], ["proxy-\nid", "y"], ["sec-\nid", ""]] }],
  ["a value of two lines", { headers: [["x-a", "1\nx-b: 2"], ["x-c", "1\r\n\r\n"]] }],
  ["a value that is a file", { headers: [["x-a", "@/etc/passwd"], ["x-b", "=@/etc/passwd"]] }],
  ["an address with code", { url: "http://a.test/$(id)`id`;id|sh'\"\\?[1-9]{a,b}&~!!" }],
  ["an address with a line", { url: "http://a.test/\n-o.bashrc\nid" }],
  ["a body that is a file", { method: "POST", body: "@/etc/passwd" }],
  ["a body that is options", { method: "POST", body: "-o.bashrc\n--output=x" }],
  ["a body with signs for a terminal", { method: "POST", body: "\x03\x1b[201~\rid\n\x9b!!'" }],
]);
const OPTIONS = {
  curl: {
    alone: ["--globoff", "--path-as-is", "--head", "--compressed"],
    before: ["-X", "-H", "--data-raw"],
  },
  http: { alone: ["--ignore-stdin", "--path-as-is"], before: [] as string[] },
};

/** Runs a command with a stand-in for its program: what is an option for it, and what is none. */
async function parse(
  command: string,
  program: "curl" | "http",
): Promise<{ options: string[]; others: string[] }> {
  // Whatever else the shell runs is not found, which it says.
  const stand = `PATH=; ${program}() { printf '%s\\0' "$@"; }; `;
  const { stdout, stderr } = await run("bash", ["-c", stand + command]);
  expect(stderr).toBe("");
  const args = stdout.split("\0").slice(0, -1);
  const options: string[] = [];
  const others: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at]!;
    if (arg === "--") return { options, others: [...others, ...args.slice(at + 1)] };
    const isOption = arg.startsWith("-");
    (isOption ? options : others).push(arg.replace(/^(--raw=).*/s, "$1"));
    // curl reads a file for `-H @file`, and sends what stands behind a line end as a line of its own.
    if (arg === "-H") others.push(...args.slice(at + 1, at + 2).filter((field) => /^@|\n/.test(field)));
    at += Number(OPTIONS[program].before.includes(arg));
  }
  return { options, others };
}

describe("what others named stands where no option can", () => {
  const write = (request: Partial<PlainRequest>): PlainRequest => ({
    method: "GET",
    url: "http://a.test/",
    headers: [],
    ...request,
  });

  it.each(HOSTILE)("in curl: $what", async ({ request }) => {
    const { options, others } = await parse(writeCurl(write(request)), "curl");
    expect(others).toEqual([write(request).url]);
    expect([...OPTIONS.curl.alone, ...OPTIONS.curl.before]).toEqual(expect.arrayContaining(options));
  });

  it.each(HOSTILE)("in curl through the proxy: $what", async ({ request }) => {
    const command = writeProxiedCurl(write(request), { base: BASE, needsToken: true });
    const { options, others } = await parse(command, "curl");
    expect(others).toEqual([expect.stringMatching(/^http:\/\/localhost:8080\//)]);
    expect([...OPTIONS.curl.alone, ...OPTIONS.curl.before]).toEqual(expect.arrayContaining(options));
    expect(command.split("\n").filter((line) => line.startsWith("#") && /[^\w\s#,-]/.test(line))).toEqual([]);
  });

  it.each(HOSTILE)("in HTTPie: $what", async ({ request }) => {
    const { options, others } = await parse(writeHttpie(write(request)), "http");
    expect([...OPTIONS.http.alone, "--raw="]).toEqual(expect.arrayContaining(options));
    const { method, url } = write(request);
    const [first = method, second = url] = others;
    expect([first, second]).toEqual([method, url]);
    expect(others.slice(0, 1).filter((word) => !/^[A-Za-z]+$/.test(word))).toEqual([]);
  });

  it.each(HOSTILE)("in fetch: $what", async ({ request }) => {
    const calls: unknown[] = [];
    const code = writeFetch(write(request));
    await new Function("fetch", `return (async () => { ${code}\n })()`)((...args: unknown[]) =>
      calls.push(args)
    );
    expect(calls).toEqual([[write(request).url, expect.objectContaining({ method: write(request).method })]]);
  });
});

it("each language is there by name", () =>
  expect(LANGUAGES.map(({ name }) => name)).toEqual(["curl", "fetch", "Python", "Go", "HTTPie"]));
