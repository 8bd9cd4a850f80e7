/** Pasted curl commands: what the builder takes over, and what it names. @module */
import { describe, expect, it } from "vitest";
import type { FetchArgument } from "../../../src/client/client.ts";
import { describe as describeRequest } from "../../../src/console/builder/fetch-argument.ts";
import { parseCurl } from "../../../src/console/builder/paste-curl.ts";
import { buildRequest, type ReadyRequest } from "../../../src/console/builder/compose-request.ts";
import { writeCurl } from "../../../src/console/share/curl.ts";
import { typedRows, words } from "../../support/rows.ts";

const FORM = "application/x-www-form-urlencoded";
const CONTEXT = { base: "http://localhost:8080", needsToken: false };

/** The request of a command, as it would go out. */
function read(command: string): Partial<ReadyRequest> & { notes: string[] } {
  const { draft, notes } = parseCurl(command);
  const outcome = draft && buildRequest(draft, { host: null });
  return { ...(outcome?.problem === undefined ? outcome?.request : {}), notes };
}

describe("parseCurl", () => {
  it.each(typedRows<{ command: string; request: Partial<ReadyRequest> }>(["command", "request"], [
    ["curl https://a.test/p", { method: "GET", url: "https://a.test/p", headers: [], redirect: "manual" }],
    ["curl a.test", { url: "http://a.test" }],
    ["$ curl -L a.test", { redirect: "follow" }],
    ["curl -X PUT --url https://a.test", { method: "PUT" }],
    ["curl -XDELETE https://a.test", { method: "DELETE" }],
    ["curl --request=PATCH https://a.test", { method: "PATCH" }],
    ["curl -I https://a.test", { method: "HEAD" }],
    ["curl -sSL https://a.test", { redirect: "follow" }],
    ["curl https://a.test -H 'X-A: 1' -H 'x-a:2' -H 'x-b;' -H 'accept:'", {
      headers: [["X-A", "1"], ["x-a", "2"], ["x-b", ""]],
    }],
    ["curl https://a.test -d a=1 -d 'b=x y'", {
      method: "POST",
      body: "a=1&b=x y",
      headers: [["content-type", FORM]],
    }],
    ["curl https://a.test -d a=1 -H 'content-type:'", { body: "a=1", headers: [] }],
    [`curl https://a.test --data-raw '@x' -H 'content-type: a/b'`, { body: "@x" }],
    ["curl https://a.test --data-urlencode 'q=a b&c' --data-urlencode '=d e' --data-urlencode 'f g'", {
      body: "q=a%20b%26c&d%20e&f%20g",
    }],
    ["curl -G https://a.test/?x -d a=1 -d b=2", { method: "GET", url: "https://a.test/?x&a=1&b=2" }],
    ["curl -G 'https://a.test/#f' -d a=1", { url: "https://a.test/?a=1#f" }],
    [`curl https://a.test --json '{"a":1}' --json '[]'`, {
      method: "POST",
      body: '{"a":1}[]',
      headers: [["content-type", "application/json"], ["accept", "application/json"]],
    }],
    ["curl https://a.test -u me:x -b a=1 -A agent -e https://b.test -r 0-9", {
      headers: [["authorization", "Basic bWU6eA=="], ["cookie", "a=1"], ["user-agent", "agent"], [
        "referer",
        "https://b.test",
      ], ["range", "bytes=0-9"]],
    }],
    ["curl --compressed https://a.test", { headers: [["accept-encoding", "deflate, gzip, br, zstd"]] }],
    [`curl https://a.test --data-binary $'a\\r\\nb'`, { body: expect.any(Blob) as never }],
    ["curl --max-time 5 -o out -- https://a.test", { url: "https://a.test" }],
  ]))("$command", ({ command, request }) => expect(read(command)).toMatchObject({ ...request, notes: [] }));

  it("makes a part of each -F", async () => {
    const { body, headers } = read(`curl https://a.test -F a=1 -F 'b="x;y"' --form-string 'c=@d'`);
    const type = headers?.[0]?.[1] ?? "";
    const form = await new Response(body, { headers: { "content-type": type } }).formData();
    expect([...form]).toEqual([["a", "1"], ["b", "x;y"], ["c", "@d"]]);
  });

  it.each([
    { command: "curl https://a.test -k", note: /-k is not taken over/ },
    { command: "curl https://a.test --insecure", note: /--insecure/ },
    { command: "curl https://a.test --data-binary @-", note: /standard input, which can't be read here/ },
    { command: "curl https://a.test -d @body.json", note: /file body\.json/ },
    { command: "curl https://a.test -T up.bin", note: /up\.bin is a file/ },
    { command: "curl https://a.test -F f=@p.png", note: /reads a file: choose it in the row f/ },
    { command: "curl https://a.test -F 'f=x;type=a/b'", note: /;type=a\/b of -F f/ },
    { command: "curl https://a.test -b jar.txt", note: /file of cookies/ },
    { command: "curl https://a.test -x http://proxy", note: /^-x is not taken over$/ },
    { command: "curl https://a.test --unheard-of", note: /--unheard-of is not taken over/ },
    { command: "curl https://a.test https://b.test", note: /not https:\/\/b\.test/ },
    { command: "curl https://a.test -u me", note: /no password/ },
    { command: 'curl https://a.test -H "x: $TOKEN"', note: /would replace \$TOKEN/ },
    { command: "curl https://a.test -H @file", note: /can't be read/ },
  ])("names what it can't take over: $command", ({ command, note }) => {
    expect(parseCurl(command))
      .toMatchObject({ draft: { address: "https://a.test" }, notes: [expect.stringMatching(note)] });
  });

  it.each([
    { command: "curl", problem: /no address/ },
    { command: "curl -H 'a", problem: /does not end/ },
  ])("tells why there is none: $command", ({ command, problem }) => {
    expect(parseCurl(command).problem).toMatch(problem);
  });

  it("reads what Chrome copies", () => {
    const command = `curl 'https://a.test/api?x=1' \\
  -X 'POST' \\
  -H 'accept: */*' \\
  -H 'content-type: application/json' \\
  -b 'sid=1; theme=dark' \\
  -H 'sec-ch-ua: "Chromium";v="140"' \\
  --data-raw $'{"a":"it\\'s \\u0021"}' \\
  --compressed`;
    expect(read(command)).toMatchObject({
      method: "POST",
      url: "https://a.test/api?x=1",
      body: `{"a":"it's !"}`,
      headers: [
        ["accept", "*/*"],
        ["content-type", "application/json"],
        ["cookie", "sid=1; theme=dark"],
        ["sec-ch-ua", '"Chromium";v="140"'],
        ["accept-encoding", "deflate, gzip, br, zstd"],
      ],
    });
  });
});

/** The same numbers in every run. */
function* random(seed: number): Generator<number> {
  for (let state = seed;; state = state * 1_664_525 + 1_013_904_223 >>> 0) yield state / 2 ** 32;
}

const PIECES = [" ", "\n", "`", "|", ...words`a ' " \ $x ! é 😀 { & ; @ %41 $' ^ = #`];
const METHODS = ["GET", "POST", "PUT", "DELETE", "HEAD", "PROPFIND"];
const NAMES = ["x-a", "X-A", "Accept", "content-type", "Authorization", "origin", "X-Forwarded-For"];

/** A request of random pieces. */
function makeArgument(numbers: Generator<number>): FetchArgument {
  const pick = <T>(list: readonly T[]): T =>
    list[Math.floor((numbers.next().value as number) * list.length)] as T;
  const text = (most: number) =>
    Array.from({ length: Math.floor((numbers.next().value as number) * most) }, () => pick(PIECES)).join("");
  const latin = (most: number) => text(most).replace(/[^\x20-\x7e]/g, "").trim();
  const headers = Object.fromEntries(
    NAMES.filter(() => (numbers.next().value as number) < 0.3).map((name) => [name, latin(6)]),
  );
  const hasBody = (numbers.next().value as number) < 0.6;
  const method = pick(METHODS);
  return {
    url: `https://a.test/p?q=${encodeURIComponent(text(8))}`,
    ...(method !== "GET" && { method }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(hasBody && { body: text(30) }),
    ...((numbers.next().value as number) < 0.3 && { redirect: "manual" as const }),
  };
}

describe("our own curl command", () => {
  const numbers = random(21);
  const rows = Array.from({ length: 300 }, () => ({ argument: makeArgument(numbers) }));

  it.each(rows)("gives the request back: $argument", ({ argument }) => {
    const { draft } = parseCurl(writeCurl(argument, CONTEXT).text);
    const outcome = draft && buildRequest(draft, { host: null });
    const request = outcome?.problem === undefined ? outcome?.request : undefined;
    expect(request && describeRequest(request)).toEqual({ argument });
  });
});
