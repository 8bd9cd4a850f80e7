/**
 * The house rules of scripts/check, each with a sample that breaks it and one that keeps it. The slow ones are in
 * `test/apps/expressions.test.ts`.
 * @module
 */
import { describe, expect, it } from "vitest";
import { RULES } from "../../scripts/check/rules.ts";
import { readSources } from "../../scripts/check/source.ts";

/** Path → text. */
type Files = Record<string, string>;

/** The findings of one rule as `path:line`. */
function places(name: string, files: Files): string[] {
  const rule = RULES.find((candidate) => candidate.name === name);
  return rule?.check(readSources(files)).map(({ path, line }) => `${path}:${line}`) ?? [`no rule ${name}`];
}

const lines = (count: number, line = "f();") => `${line}\n`.repeat(count);
const functionOf = (count: number) => `function f() {\n${lines(count - 2)}}\n`;
const NPM_MANIFEST = {
  name: "fetchvia",
  version: "1.0.0",
  exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
  dependencies: { "@a/b": "1.0.0" },
  peerDependencies: { c: "1.0.0" },
};
const JSR_MANIFEST = { name: "@fetchvia/fetchvia", version: "1.0.0", exports: { ".": "./src/index.ts" } };

const NPM: Files = { "package.json": JSON.stringify(NPM_MANIFEST) };
const npm = (entry: object): Files => ({
  "package.json": JSON.stringify({ ...NPM_MANIFEST, exports: { ".": entry } }),
});
const jsr = (changes: object) => JSON.stringify({ ...JSR_MANIFEST, ...changes });

/** `text` is the file in which the rule finds its one flaw `at` a line. */
const BROKEN: { rule: string; flaw: string; at: string; text: string; beside?: Files }[] = [
  { rule: "arrows", flaw: "step to step", at: "src/steps/send.ts:1", text: `import "./target.ts";` },
  {
    rule: "arrows",
    flaw: "a type of a step",
    at: "src/steps/send.ts:1",
    text: `import type { A } from "./target.ts";`,
  },
  {
    rule: "arrows",
    flaw: "up a room",
    at: "src/address/ip.ts:2",
    text: `\nexport { a } from "../steps/send.ts";`,
  },
  {
    rule: "arrows",
    flaw: "settings to step",
    at: "src/settings/a.ts:1",
    text: `import "../steps/access.ts";`,
  },
  { rule: "arrows", flaw: "step to proxy", at: "src/steps/send.ts:1", text: `import "../proxy.ts";` },
  { rule: "arrows", flaw: "step to door", at: "src/steps/send.ts:1", text: `import "../door/token.ts";` },
  {
    rule: "arrows",
    flaw: "core to runtime",
    at: "src/proxy.ts:1",
    text: `await import("./runtimes/bun.ts");`,
  },
  { rule: "arrows", flaw: "entry past index", at: "src/runtimes/bun.ts:1", text: `import "../proxy.ts";` },
  { rule: "arrows", flaw: "entry to entry", at: "src/runtimes/bun.ts:1", text: `import "./deno.ts";` },
  {
    rule: "arrows",
    flaw: "runtime to runtime",
    at: "src/runtimes/bun/a.ts:1",
    text: `import "../deno/a.ts";`,
  },
  {
    rule: "arrows",
    flaw: "page to step",
    at: "src/pages/console/a.ts:1",
    text: `import "../../steps/send.ts";`,
  },
  { rule: "arrows", flaw: "page to client", at: "src/pages/a.ts:1", text: `import "../client.ts";` },
  {
    rule: "arrows",
    flaw: "a room that is not in the law",
    at: "src/new/a.ts:1",
    text: `import "../http/a.ts";`,
  },
  { rule: "arrows", flaw: "src to test", at: "src/http/a.ts:1", text: `import "../../test/support/a.ts";` },
  { rule: "arrows", flaw: "client to the token", at: "src/client.ts:1", text: `import "./door/token.ts";` },
  { rule: "arrows", flaw: "client to others", at: "src/client.ts:1", text: `import "./address/ip.ts";` },
  { rule: "arrows", flaw: "client to a package", at: "src/client.ts:1", text: `import "itty-router";` },
  {
    rule: "rooms",
    flaw: "a sixth step",
    at: "src/steps/6.ts:1",
    text: "",
    beside: Object.fromEntries([1, 2, 3, 4, 5].map((step) => [`src/steps/${step}.ts`, ""])),
  },
  {
    rule: "arrows",
    flaw: "import in a type",
    at: "src/address/ip.ts:1",
    text: `let a: import("../steps/send.ts").A;`,
  },
  {
    rule: "cycles",
    flaw: "three leaves",
    at: "src/c.ts:2",
    text: `\nimport "./a.ts";`,
    beside: { "src/a.ts": `import "./b.ts";`, "src/b.ts": `import "./c.ts";` },
  },
  { rule: "cycles", flaw: "a file and itself", at: "src/a.ts:1", text: `import "./a.ts";` },
  { rule: "packages", flaw: "a tool", at: "src/ip.ts:1", text: `import "vitest/node";`, beside: NPM },
  { rule: "packages", flaw: "an optional one, always", at: "src/ip.ts:1", text: `import "c";`, beside: NPM },
  { rule: "portable", flaw: "node: module", at: "src/ip.ts:1", text: `import { isIP } from "node:net";` },
  { rule: "portable", flaw: "Bun", at: "src/ip.ts:2", text: `// →→→\nif (typeof Bun) f();` },
  { rule: "portable", flaw: "Deno as a type", at: "src/ip.ts:1", text: `let a: Deno.Conn;` },
  { rule: "portable", flaw: "process in a template", at: "src/ip.ts:1", text: "f(`${process.pid}`);" },
  {
    rule: "portable",
    flaw: "Buffer of globalThis",
    at: "src/pages/console/a.ts:1",
    text: `globalThis.Buffer;`,
  },
  {
    rule: "portable",
    flaw: "process taken apart",
    at: "src/ip.ts:1",
    text: `const { process } = globalThis;`,
  },
  { rule: "portable", flaw: "computed import", at: "src/ip.ts:1", text: `await import(name);` },
  { rule: "globals", flaw: "fetch replaced", at: "src/runtimes/a.ts:1", text: `globalThis.fetch = f;` },
  { rule: "entry-size", flaw: "41 lines", at: "src/runtimes/bun.ts:1", text: lines(41) },
  { rule: "proxy-size", flaw: "101 lines", at: "src/proxy.ts:1", text: lines(101) },
  { rule: "file-size", flaw: "251 lines", at: "src/ip.ts:1", text: lines(251) },
  { rule: "file-size", flaw: "a long script", at: "scripts/build.ts:1", text: lines(251) },
  { rule: "function-size", flaw: "41 lines", at: "src/ip.ts:2", text: `\n${functionOf(41)}` },
  {
    rule: "function-size",
    flaw: "a long method",
    at: "src/ip.ts:1",
    text: `class A { f() {\n${lines(40)}} }`,
  },
  { rule: "header", flaw: "no comment", at: "src/ip.ts:1", text: `export {};` },
  { rule: "header", flaw: "no @module", at: "src/ip.ts:1", text: `/** Addresses. */` },
  { rule: "header", flaw: "no sentence", at: "src/ip.ts:1", text: `/** @module */` },
  { rule: "header", flaw: "not first", at: "src/ip.ts:1", text: `f();\n/** Addresses. @module */` },
  { rule: "docs", flaw: "function", at: "src/ip.ts:2", text: `\nexport function f() {}` },
  { rule: "docs", flaw: "constant", at: "src/ip.ts:3", text: `/** A. */\nf();\nexport const a = 1;` },
  {
    rule: "docs",
    flaw: "type below @module",
    at: "src/ip.ts:2",
    text: `/** A. @module */\nexport type A = 1;`,
  },
  {
    rule: "docs",
    flaw: "interface with a plain comment",
    at: "src/ip.ts:2",
    text: `// A.\nexport interface A {}`,
  },
  { rule: "docs", flaw: "class", at: "src/runtimes/a.ts:1", text: `export class A {}` },
  { rule: "docs", flaw: "default", at: "src/ip.ts:1", text: `export default function f() {}` },
  { rule: "docs", flaw: "exported later", at: "src/ip.ts:2", text: `\nconst a = 1;\nexport { a };` },
  { rule: "suppressions", flaw: "@ts-ignore", at: "src/ip.ts:1", text: `// @ts-ignore it works` },
  { rule: "suppressions", flaw: "@ts-expect-error", at: "src/ip.ts:1", text: `/* @ts-expect-error */` },
  {
    rule: "suppressions",
    flaw: "deno-lint-ignore",
    at: "test/a.ts:1",
    text: `// deno-lint-ignore no-explicit-any`,
  },
  { rule: "leftovers", flaw: "TODO", at: "scripts/a.ts:2", text: `\n// TODO later` },
  {
    rule: "leftovers",
    flaw: "FIXME in a page",
    at: "src/pages/console/page.html:2",
    text: `<p>\n<!-- FIXME -->`,
  },
  { rule: "quirks", flaw: "Deno", at: "src/http/a.ts:2", text: `\n// Deno (2.9) says so` },
  {
    rule: "built",
    flaw: "a pattern made of a text",
    at: "src/ip.ts:1",
    text: `const p = new RegExp(key, "g");`,
  },
  { rule: "built", flaw: "the same without new", at: "src/ip.ts:1", text: "const p = RegExp(`a${key}`);" },
  { rule: "names", flaw: "utils", at: "src/utils.ts:1", text: "" },
  { rule: "names", flaw: "folder of helpers", at: "test/helpers/a.ts:1", text: "" },
  { rule: "tested", flaw: "no test file", at: "src/ip.ts:1", text: "" },
  { rule: "test-branches", flaw: "if", at: "test/a.test.ts:2", text: `it("a", () => {\nif (b) c();\n});` },
  {
    rule: "test-branches",
    flaw: "if in it.each",
    at: "test/a.ts:1",
    text: `it.each(rows)("a", () => { if (b) c(); });`,
  },
  { rule: "test-loops", flaw: "for", at: "test/a.ts:1", text: `for (const a of b) it("a", f);` },
  { rule: "test-loops", flaw: "forEach", at: "test/a.ts:1", text: `b.forEach((a) => it("a", f));` },
  { rule: "test-switches", flaw: "skip", at: "test/a.ts:1", text: `it.skip("a", f);` },
  { rule: "test-switches", flaw: "only", at: "test/a.ts:1", text: `describe.only.each(b)("a", f);` },
  { rule: "test-switches", flaw: "todo", at: "test/a.ts:1", text: `it.todo("a");` },
  { rule: "test-switches", flaw: "condition", at: "test/a.ts:1", text: `it.skipIf(!bun)("a", f);` },
  { rule: "test-switches", flaw: "option", at: "test/a.ts:1", text: `it("a", { skip: true }, f);` },
  { rule: "test-switches", flaw: "alias", at: "test/a.ts:1", text: `xit("a", f);` },
  { rule: "manifests", flaw: "version", at: "deno.json:1", text: jsr({ version: "1.0.1" }), beside: NPM },
  { rule: "manifests", flaw: "name", at: "deno.json:1", text: jsr({ name: "@fetchvia/proxy" }), beside: NPM },
  {
    rule: "manifests",
    flaw: "an export missing",
    at: "deno.json:1",
    text: jsr({ exports: {} }),
    beside: NPM,
  },
  {
    rule: "manifests",
    flaw: "an export of another file",
    at: "deno.json:1",
    text: jsr({ exports: { ".": "./src/proxy.ts" } }),
    beside: NPM,
  },
  {
    rule: "manifests",
    flaw: "an export without types",
    at: "deno.json:1",
    text: jsr({}),
    beside: npm({ default: "./dist/index.js" }),
  },
  {
    rule: "manifests",
    flaw: "an export with the types of another",
    at: "deno.json:1",
    text: jsr({}),
    beside: npm({ types: "./dist/client.d.ts", default: "./dist/index.js" }),
  },
  {
    rule: "version",
    flaw: "another",
    at: "src/settings/version.ts:1",
    text: `export const VERSION = "1.0.1";`,
    beside: NPM,
  },
  { rule: "proved", flaw: "no file", at: "docs/specification.md:3", text: "# A\n\n- **1.1** B. [a: c]\n" },
  {
    rule: "proved",
    flaw: "other words",
    at: "docs/specification.md:2",
    text: "- **1.1** A. [a: b c]\n- **1.2** B\n  C. [a: d]\n",
    beside: { "test/a.ts": `it("b c", f);` },
  },
  {
    rule: "cited",
    flaw: "a rule that is not there",
    at: "src/a.ts:2",
    text: "f();\n// As rules 1.1 to 1.3 say.",
    beside: { "docs/specification.md": "- **1.1** A. [a: b]\n" },
  },
];

/** Files that look close to a flaw and have none. */
const KEPT: { rule: string; sample: string; path: string; text: string; beside?: Files }[] = [
  {
    rule: "proved",
    sample: "a rule of two lines",
    path: "docs/specification.md",
    text: "- **1.1** A\n  B. [on/a: b\n  c]\n",
    beside: { "test/on/a.ts": `it("b c", f);` },
  },
  {
    rule: "cited",
    sample: "two rules",
    path: "src/a.ts",
    text: "// rules 1.1 and 1.2",
    beside: { "docs/specification.md": "- **1.1** A. [a: b]\n- **1.2** B. [a: b]\n" },
  },
  {
    rule: "arrows",
    sample: "runtime to index and rooms",
    path: "src/runtimes/bun/a.ts",
    text: `import "../../index.ts"; import "../../address/ip.ts"; import "../http1/a.ts"; import "./b.ts";`,
  },
  {
    rule: "arrows",
    sample: "proxy to steps",
    path: "src/proxy.ts",
    text: `import "./steps/send.ts"; import "./http/error.ts";`,
  },
  {
    rule: "arrows",
    sample: "page to the first step and to pages",
    path: "src/pages/a.ts",
    text: `import "../steps/target.ts"; import "./console/page.ts";`,
  },
  {
    rule: "arrows",
    sample: "the page's script to the client",
    path: "src/pages/console/browser/a.ts",
    text: `import "../../../client.ts"; import "../facts.ts";`,
  },
  {
    rule: "arrows",
    sample: "step to room and package",
    path: "src/steps/send.ts",
    text: `import "../address/ip.ts"; import "ipaddr.js";`,
  },
  {
    rule: "arrows",
    sample: "client to its few",
    path: "src/client.ts",
    text: `import "./address/label.ts"; import "./address/proxy-link.ts"; import "./exchange/unseal.ts";`,
  },
  {
    rule: "arrows",
    sample: "version out of package.json",
    path: "src/settings/version.ts",
    text: `import a from "../../package.json";`,
  },
  {
    rule: "arrows",
    sample: "tests import everything",
    path: "test/send.test.ts",
    text: `import "../../src/steps/target.ts";`,
  },
  {
    rule: "cycles",
    sample: "two ways to one leaf",
    path: "src/a.ts",
    text: `import "./b.ts"; import "./c.ts";`,
    beside: { "src/b.ts": `import "./c.ts";`, "src/c.ts": "" },
  },
  { rule: "packages", sample: "a dependency", path: "src/ip.ts", text: `import "@a/b/c";`, beside: NPM },
  { rule: "packages", sample: "an optional one", path: "src/ip.ts", text: `import("c");`, beside: NPM },
  {
    rule: "packages",
    sample: "what a runtime has",
    path: "src/runtimes/a.ts",
    text: `import "node:net"; import "bun";`,
  },
  {
    rule: "portable",
    sample: "words in text",
    path: "src/ip.ts",
    text: `// Bun\nf("Deno", /Buffer/, \`process\`);`,
  },
  { rule: "portable", sample: "a property's own name", path: "src/ip.ts", text: `f(a.process, { Bun: 1 });` },
  {
    rule: "portable",
    sample: "a member's own name",
    path: "src/ip.ts",
    text: `interface A { process(): void; Deno: 1 }`,
  },
  {
    rule: "portable",
    sample: "a runtime",
    path: "src/runtimes/node.ts",
    text: `import "node:net"; process.exit();`,
  },
  { rule: "globals", sample: "reading", path: "src/ip.ts", text: `a.fetch = globalThis.fetch;` },
  {
    rule: "entry-size",
    sample: "comments apart",
    path: "src/runtimes/bun.ts",
    text: lines(40) + lines(9, "// a\n/* b\n\nc */"),
  },
  { rule: "entry-size", sample: "not an entry", path: "src/runtimes/dns.ts", text: lines(41) },
  { rule: "proxy-size", sample: "100 lines", path: "src/proxy.ts", text: lines(100) },
  { rule: "file-size", sample: "250 lines", path: "src/ip.ts", text: lines(250) },
  { rule: "file-size", sample: "console apart", path: "src/pages/console/page.ts", text: lines(251) },
  { rule: "function-size", sample: "40 lines", path: "src/ip.ts", text: functionOf(40) },
  {
    rule: "header",
    sample: "sentence and @module",
    path: "src/ip.ts",
    text: `/**\n * Addresses.\n * @module\n */\nf();`,
  },
  {
    rule: "header",
    sample: "below a hashbang",
    path: "src/runtimes/main.ts",
    text: `#!/usr/bin/env bun\n/** Starts. @module */`,
  },
  {
    rule: "docs",
    sample: "documented exports",
    path: "src/ip.ts",
    text: `/** A. */\nexport const a = 1;\n/** B. */\nexport type B = 1;`,
  },
  {
    rule: "docs",
    sample: "documented, exported later",
    path: "src/ip.ts",
    text: `/** A. */\nclass A {}\nexport { A as B };`,
  },
  {
    rule: "docs",
    sample: "re-exports and inner names",
    path: "src/index.ts",
    text: `export { a } from "./ip.ts";\nfunction b() {}`,
  },
  { rule: "docs", sample: "an entry's object", path: "src/runtimes/bun.ts", text: `export default {};` },
  {
    rule: "docs",
    sample: "overloads",
    path: "src/ip.ts",
    text: `/** F. */\nexport function f(): void;\nexport function f(a?: 1): void {}`,
  },
  { rule: "suppressions", sample: "in a string", path: "test/a.ts", text: `f("// @ts-ignore");` },
  {
    rule: "leftovers",
    sample: "in a string, as part of a word",
    path: "src/ip.ts",
    text: `f("TODO"); // TODOS`,
  },
  {
    rule: "quirks",
    sample: "in its room, and the module that a writable comes from",
    path: "src/http/a.ts",
    text: `// A writable of node:stream, on some platforms`,
    beside: { "src/runtimes/deno/a.ts": "// Deno (2.9)" },
  },
  {
    rule: "built",
    sample: "what the user of the console types",
    path: "src/pages/console/browser/traffic/filter.ts",
    text: "const p = new RegExp(typed);",
  },
  { rule: "names", sample: "one of the words inside", path: "src/subtypes.ts", text: "" },
  {
    rule: "tested",
    sample: "its test file",
    path: "src/a/ip.ts",
    text: "",
    beside: { "test/a/ip.test.ts": "" },
  },
  {
    rule: "rooms",
    sample: "five steps",
    path: "src/steps/5.ts",
    text: "",
    beside: Object.fromEntries([1, 2, 3, 4].map((step) => [`src/steps/${step}.ts`, ""])),
  },
  { rule: "tested", sample: "re-exports", path: "src/index.ts", text: "" },
  { rule: "tested", sample: "types", path: "src/exchange/runtime.ts", text: "" },
  { rule: "tested", sample: "a part of a runtime", path: "src/runtimes/dns.ts", text: "" },
  {
    rule: "test-branches",
    sample: "if beside the tests",
    path: "test/a.ts",
    text: `function f() { if (a) b(); }\nit("a", f);`,
  },
  {
    rule: "test-loops",
    sample: "loop inside a test",
    path: "test/a.ts",
    text: `it("a", () => { for (const a of b) c(a); });`,
  },
  {
    rule: "test-switches",
    sample: "words of other things",
    path: "test/a.ts",
    text: `it("skip", () => f({ only: 1 }, skip));`,
  },
  { rule: "manifests", sample: "equal", path: "deno.json", text: jsr({}), beside: NPM },
  {
    rule: "version",
    sample: "the same",
    path: "src/settings/version.ts",
    text: `export const VERSION = "1.0.0";`,
    beside: NPM,
  },
];

describe("house rules", () => {
  it.each(BROKEN)("$rule finds: $flaw", ({ rule, at, text, beside }) => {
    const [path = ""] = at.split(":");
    expect(places(rule, { ...beside, [path]: text })).toEqual([at]);
  });

  it.each(KEPT)("$rule passes: $sample", ({ rule, path, text, beside }) => {
    expect(places(rule, { ...beside, [path]: text })).toEqual([]);
  });

  it("each has samples of both kinds", () => {
    const names = RULES.map(({ name }) => name);
    expect(new Set(BROKEN.map(({ rule }) => rule))).toEqual(new Set(names));
    expect(new Set(KEPT.map(({ rule }) => rule))).toEqual(new Set(names));
  });
});
