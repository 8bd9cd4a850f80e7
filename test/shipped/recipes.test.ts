/**
 * Runs what the recipes show, line by line, and compares what it writes with what they say.
 * @module
 */
import { readdir } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { encodeLabel } from "../../src/core/address/label.ts";
import { reply } from "../support/answers.ts";
import { identify } from "../support/aws.ts";
import { freePort } from "../support/free-port.ts";
import { ROOT } from "../support/proxy.ts";
import { readSteps, RecipeRun } from "../support/recipe.ts";
import { type Handler, listen, type Upstream } from "../support/upstream.ts";

/** What a plain git server lists: one branch. */
const REFERENCES = `${"1".repeat(40)}\trefs/heads/main\n`;

/** @param login where `/login` leads */
const answerAs = (version: string, login = ""): Handler => (request, socket) => {
  const pages: Record<string, Handler> = {
    "/login": reply(302, { Location: login }),
    "/repository.git/info/refs": reply(200, { "Content-Type": "text/plain" }, REFERENCES),
    "/repository.git/HEAD": reply(200, {}, "ref: refs/heads/main\n"),
  };
  if (request.header("authorization") === "Bearer sk-1234") {
    pages["/v1/models"] = reply(200, {}, "models of the account\n");
  }
  const answers: Record<string, Handler> = {
    GET: pages[request.target.split("?")[0] ?? ""] ?? reply(200, {}, `${version}\n`),
    DELETE: reply(204),
  };
  const isSignedByAws = request.header("authorization")?.startsWith("AWS4-HMAC-SHA256");
  const other = isSignedByAws ? identify("a secret of the account") : reply(201, {}, "201 made\n");
  return (answers[request.method] ?? other)(request, socket);
};

/** The recipes that this test runs: how many of their blocks write something. */
const RECIPES = [
  { recipe: "environments", count: 4 },
  { recipe: "cors", count: 3 },
  { recipe: "get-only", count: 3 },
  { recipe: "keys", count: 4 },
  { recipe: "public", count: 4 },
  { recipe: "logins", count: 3 },
  { recipe: "selectors", count: 6 },
  { recipe: "programs", count: 7 },
  { recipe: "vscode", count: 3 },
  { recipe: "https", count: 3 },
  { recipe: "other-proxies", count: 3 },
];

/** `sdks` is run in a browser (`test/browser/sdks.ts`); the servers of the others are not installed here. */
const ELSEWHERE = ["apache", "caddy", "haproxy", "nginx", "sdks"];

let staging: Upstream;
let live: Upstream;
let here: Map<string, string>;
let recipeRun: RecipeRun;

beforeEach(async () => {
  const [proxy, program] = [await freePort(), await freePort()];
  [staging, live] = await Promise.all([listen(), listen()]);
  staging.answer = answerAs("staging 2.4.0");
  live.answer = answerAs("live 2.3.9", `${staging.origin}/auth`);
  here = new Map([
    ["https://staging.example.com", staging.origin],
    ["https://api.example.com", live.origin],
    ["https://app.example.com", live.origin],
    ["https://login.example.com", staging.origin],
    ["app-example-com", encodeLabel(live.origin)],
    ["login-example-com", encodeLabel(staging.origin)],
    ["api.example.com", live.host],
    ["8080", String(proxy)],
    ["4000", String(program)],
    ["3000", String(live.port)],
  ]);
  recipeRun = await RecipeRun.create({ proxy, programs: [program] });
});

afterEach(() => Promise.all([staging.close(), live.close(), recipeRun.remove()]));

describe("the recipe", () => {
  it.each(RECIPES)("$recipe does what it says", async ({ recipe, count }) => {
    const done = [];
    for (const step of await readSteps(recipe, here)) {
      done.push({ expected: step.expected?.trim(), written: await recipeRun.do(step) });
    }
    expect(done.map(({ written }) => written)).toEqual(done.map(({ expected }) => expected));
    expect(done.filter(({ written }) => written !== undefined)).toHaveLength(count);
  });

  it("is run, whichever it is", async () => {
    const names = (await readdir(`${ROOT}/docs/recipes`)).map((file) => file.replace(".md", "")).sort();
    expect(names).toEqual([...RECIPES.map(({ recipe }) => recipe), ...ELSEWHERE].sort());
  });
});
