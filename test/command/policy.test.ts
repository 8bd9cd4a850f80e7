/** What `fetchvia policy` writes allows exactly what a record holds. @module */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runPolicy } from "../../src/command/policy.ts";
import { Dice } from "../support/dice.ts";
import { dealMutants, linesOf, openPolicy, type Sent } from "../support/record.ts";
import { sentOf, textOf, type Written } from "../support/record.ts";
import { rowsOf, words } from "../support/rows.ts";
import { sourcesOf } from "../support/table.ts";
import { parseTable } from "../../src/parts/gate/targets/table.ts";

const SEEN = [
  "POST https://api.example.com/v1/chat/completions",
  "GET https://api.example.com/v1/models",
  "GET https://api.example.com/v1/models/gpt",
  "GET https://api.example.com/",
  "GET wss://api.example.com/v1/realtime",
  "GET wss://api.example.com/v1/models",
  "GET https://git.example.com:8443/a/b.git/info/refs",
  "POST https://git.example.com:8443/a/b.git/git-upload-pack",
  "DELETE https://git.example.com:8443/a'b,c/`d`/$(e)",
  "GET http://127.0.0.1:3000/x%2Fy",
  "GET ws://127.0.0.1:3000/socket",
  "GET http://[::ffff:7f00:1]:3000/mapped",
  "PUT http://[::1]:8081/a/../b",
  "GET http://[::1]:8081/a\\b",
  "M-SEARCH http://plain.example.com/%25252525%2e%2e/..;/",
  "GET https://xn--bcher-kva.example/b%C3%BCcher/;v=1",
  'PROPFIND https://dav.example.com/"x"/***/<y>',
  "GET https://deep.example.com/a/b/c/d/e/f/g/h",
];
const REQUESTS = SEEN.map(sentOf);

describe("a policy", () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "fetchvia-policy-"))));
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = (text: string, name = "audit.jsonl") => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const notes: string[] = [];
  const run = async (flags: string[], text: string) => {
    notes.length = 0;
    return await runPolicy([...flags, write(text)], (line) => void notes.push(line));
  };
  const make = async (requests: readonly Sent[], flags: string[] = []): Promise<Written> =>
    JSON.parse(await run(["--json", ...flags], linesOf(requests)));

  const BOTH = (policy: Written) => policy;
  it.each<{ about: string; seed: number; narrow: (policy: Written) => Written; address?: string }>([
    ...[1, 2, 3, 4, 5, 6].map((seed) => ({ about: `its token, ${seed} of 6`, seed, narrow: BOTH })),
    ...[7, 8].map((seed) => ({
      about: `names that lead to an address of it, ${seed}`,
      seed,
      narrow: BOTH,
      address: "127.0.0.1",
    })),
    ...[9, 10].map((seed) => ({
      about: `no token, ${seed}`,
      seed,
      narrow: ({ targets }: Written) => ({ targets, claims: {} }),
    })),
  ])(
    "allows all that was seen, and none of 1,000 other requests, with $about",
    async ({ seed, narrow, address }) => {
      const ask = await openPolicy(narrow(await make(REQUESTS)), address);
      expect(await Promise.all(REQUESTS.map(ask))).toEqual(SEEN.map(() => true));
      const mutants = dealMutants(REQUESTS, 1_000, new Dice(seed));
      const sent = await Promise.all(mutants.map(ask));
      expect(mutants.filter((_, index) => sent[index]).map(textOf)).toEqual([]);
      // Most of them would be sent without the policy.
      const askAll = await openPolicy();
      const open = await Promise.all(mutants.slice(0, 200).map(askAll));
      expect(open.filter(Boolean).length).toBeGreaterThan(150);
    },
  );

  describe("for a session of 200 requests", () => {
    const dice = new Dice(47);
    const session = Array.from(
      { length: 200 },
      () =>
        `${dice.pick(["GET", "POST"])} https://${dice.pick(["a.test", "b.test:81"])}/v${
          dice.pick(["1/a", "1/b", "1/c", "2/a"])
        }`,
    ).map(sentOf);
    const distinct = [...new Set(session.map(textOf))].map(sentOf);
    /** True if a policy allows all of the session. */
    const allowsAll = async (policy: Written) => {
      const ask = await openPolicy(policy);
      for (const sent of distinct) if (!await ask(sent)) return false;
      return true;
    };
    it.each([{ flags: [] }, { flags: ["--prefixes", "2"] }])(
      "is the smallest one: without any of its rules it refuses some, with $flags",
      async ({ flags }) => {
        const written = await make(session, flags);
        const { targets, claims } = written;
        expect(await allowsAll(written)).toBe(true);
        const others = Object.entries(targets).flatMap(([name, entry]) => {
          const changed = (requests: string[]) => ({
            claims: {},
            targets: { ...targets, [name]: { ...entry, requests } },
          });
          const { [name]: _, ...rest } = targets;
          return entry.requests.flatMap((rule, index) => {
            const [method = "", scheme, path] = rule.split(" ");
            const replaced = (other: string) => changed(entry.requests.with(index, other));
            return [
              changed(entry.requests.toSpliced(index, 1)),
              replaced(`DELETE ${scheme} ${path}`),
              replaced(`${method} wss ${path}`),
              replaced(`${rule}x`),
              { claims: {}, targets: { ...rest, [`${name.split(":")[0]}:9`]: entry } },
            ];
          });
        });
        expect(others.length).toBeGreaterThan(5 * 7);
        for (const other of others) expect([other, await allowsAll(other)]).toEqual([other, false]);
        const narrower = Object.entries(claims).flatMap(([claim, values]) =>
          values.map((_, index) => ({ targets, claims: { ...claims, [claim]: values.toSpliced(index, 1) } }))
        );
        expect(narrower.length).toBeGreaterThan(5);
        for (const other of narrower) expect([other, await allowsAll(other)]).toEqual([other, false]);
      },
    );
  });

  it("is a table that loads, with how often and when each request was seen, and a token for it", async () => {
    const text = await run([], linesOf([...REQUESTS.slice(0, 2), REQUESTS[0]!].reverse()));
    expect(parseTable(text, sourcesOf()).entries.map(({ name }) => name))
      .toEqual(["api.example.com:443", "*"]);
    expect(JSON.parse(text)).toEqual({
      $comment: [
        "Allows what was seen, and nothing else: 0 refused requests and 0 unusable lines are left out.",
        "A token for it: npx fetchvia token --id agent --ttl 8h --methods 'GET,POST' " +
        "--targets 'api.example.com:443' --paths '=/v1/models,=/v1/chat/completions'",
      ],
      "api.example.com:443": {
        $comment: [
          "GET https =/v1/models: count 1, first 2030-01-01T00:00:00.001Z, last 2030-01-01T00:00:00.001Z",
          "POST https =/v1/chat/completions: count 2, first 2030-01-01T00:00:00.000Z, last 2030-01-01T00:00:00.002Z",
        ],
        requests: ["GET https =/v1/models", "POST https =/v1/chat/completions"],
      },
      "*": { requests: [] },
    });
    expect(notes).toEqual([]);
  });

  it("names no token that a shell would read otherwise, and tells of masked paths", async () => {
    expect(JSON.parse(await run([], linesOf(REQUESTS))).$comment[1])
      .toBe("A token for it: by mintToken, with the claims of fetchvia policy --json");
    expect(notes).toEqual([expect.stringContaining("some paths have ***")]);
  });

  it.each([
    { paths: 10, claims: ["methods", "targets", "paths"] },
    { paths: 200, claims: ["methods", "targets"] },
  ])("leaves to the table what a token has no room for: $paths paths", async ({ paths, claims }) => {
    const requests = Array.from({ length: paths }, (_, n) => sentOf(`GET https://a.test/items/number/${n}`));
    const policy = await make(requests);
    expect(Object.keys(policy.claims)).toEqual(claims);
    const ask = await openPolicy(policy);
    expect([await ask(requests[0]!), await ask(sentOf("GET https://a.test/items/number/x"))])
      .toEqual([true, false]);
  });

  it("leaves out the targets too, if they are too many", async () => {
    const requests = Array.from({ length: 300 }, (_, n) => sentOf(`GET https://host-${n}.test/`));
    const policy = await make(requests);
    expect(policy.claims).toEqual({ methods: ["GET"], paths: ["=/"] });
    const ask = await openPolicy(policy);
    expect([await ask(requests[0]!), await ask(sentOf("GET https://host-x.test/"))]).toEqual([true, false]);
  });

  it.each(rowsOf(["about", "seen", "rules"], [
    ["more paths than that", words`/v1/items/1 /v1/items/2 /v1/items/3 /v1/me`, ["=/v1/me", "/v1/items/"]],
    ["not more", words`/v1/items/1 /v1/items/2`, ["=/v1/items/1", "=/v1/items/2"]],
    ["a masked path", words`/v1/threads/***/runs /v1/me`, ["=/v1/me", "/v1/threads/"]],
    ["a key of the table", words`/v1/{{KEY}}/runs /v1/me`, ["/v1/"]],
    ["the root", words`/a /b /c /***`, ["=/***", "=/a", "=/b", "=/c"]],
    ["one that leads up", words`/v1/1 /v1/2 /v1/3 /v1/../x /v1/%25252525252e/y`, [
      "=/v1/%25252525252e/y",
      "=/v1/../x",
      "/v1/",
    ]],
    ["the highest", words`/a/1/x /a/2/1 /a/2/2 /a/2/3 /a/3`, ["/a/"]],
  ]))("has a directory in place of $about, with --prefixes 2", async ({ seen, rules }) => {
    const requests = seen.map((path) => sentOf(`GET https://a.test${path}`));
    const policy = await make(requests, ["--prefixes", "2"]);
    expect(policy.targets["a.test:443"]?.requests.sort())
      .toEqual(rules.map((rule) => `GET https ${rule}`).sort());
    const ask = await openPolicy(policy);
    expect(await Promise.all(requests.map(ask))).toEqual(requests.map(() => true));
    expect(await ask(sentOf("GET https://a.test/other"))).toBe(false);
  });

  it.each(rowsOf(["flags", "says"], [
    [["--prefixes", "0"], "Cannot use --prefixes 0, expected a number of paths such as 20"],
    [["--jsn"], "Unknown option '--jsn', expected --json (see fetchvia policy --help)"],
    [["--caller", "x"], "Unknown option '--caller', expected --caller-id"],
    [["--caller-id", "nobody"], "nothing was allowed (0 refused requests and 0 unusable lines"],
  ]))("is refused with one line: $flags", async ({ flags, says }) => {
    await expect(run(flags, linesOf(REQUESTS))).rejects.toThrow(says);
  });

  it("is that of one caller, by its id", async () => {
    const [mine, other] = [
      linesOf([REQUESTS[0]!], { caller_id: "ci" }),
      linesOf([REQUESTS[1]!], { caller_id: "x" }),
    ];
    const text = await run(["--caller-id", "ci"], mine + other);
    expect(JSON.parse(text)["api.example.com:443"].requests).toEqual(["POST https =/v1/chat/completions"]);
    expect(text).toContain("--id ci --ttl");
  });
});
