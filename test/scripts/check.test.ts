/**
 * The house rules of scripts/check, each with a sample that breaks it and one that keeps it. The slow ones are in
 * `test/apps/expressions.test.ts`.
 */
import { describe, expect, it } from "vitest";
import { RULES } from "../../scripts/check/rules.ts";
import { readSources } from "../../scripts/check/source.ts";
import { rowsOf } from "../support/rows.ts";

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
const BROKEN = rowsOf(["rule", "flaw", "at", "text", "beside"], [
  ["arrows", "step to step", "src/core/steps/send.ts:1", `import "./target.ts";`],
  ["arrows", "a type of a step", "src/core/steps/send.ts:1", `import type { A } from "./target.ts";`],
  ["arrows", "up a room", "src/core/address/ip.ts:2", `\nexport { a } from "../steps/send.ts";`],
  ["arrows", "settings to step", "src/core/settings/a.ts:1", `import "../steps/access.ts";`],
  ["arrows", "step to proxy", "src/core/steps/send.ts:1", `import "../proxy.ts";`],
  ["arrows", "step to door", "src/core/steps/send.ts:1", `import "../door/token.ts";`],
  ["arrows", "core to runtime", "src/core/proxy.ts:1", `await import("../runtimes/bun.ts");`],
  ["arrows", "entry past index", "src/runtimes/bun.ts:1", `import "../core/proxy.ts";`],
  ["arrows", "entry to entry", "src/runtimes/bun.ts:1", `import "./deno.ts";`],
  ["arrows", "runtime to runtime", "src/runtimes/bun/a.ts:1", `import "../deno/a.ts";`],
  ["arrows", "page to step", "src/core/pages/a.ts:1", `import "../steps/send.ts";`],
  ["arrows", "page to client", "src/core/pages/a.ts:1", `import "../../client/client.ts";`],
  ["arrows", "core to part", "src/core/may/a.ts:1", `import "../../parts/gate/gate.ts";`],
  ["arrows", "part to part", "src/parts/metrics/a.ts:1", `import "../capture/ring.ts";`],
  ["arrows", "part to proxy", "src/parts/metrics/a.ts:1", `import "../../core/proxy.ts";`],
  ["arrows", "wire to a decision", "src/wire/client/a.ts:1", `import "../../core/may/private-targets.ts";`],
  ["arrows", "a room that is not in the law", "src/new/a.ts:1", `import "../core/http/a.ts";`],
  ["arrows", "src to test", "src/core/http/a.ts:1", `import "../../../test/support/a.ts";`],
  ["arrows", "client to the token", "src/client/client.ts:1", `import "../core/door/token.ts";`],
  ["arrows", "client to others", "src/client/client.ts:1", `import "../core/address/ip.ts";`],
  ["arrows", "client to a package", "src/client/client.ts:1", `import "itty-router";`],
  [
    "rooms",
    "a sixth step",
    "src/core/steps/6.ts:1",
    "",
    Object.fromEntries([1, 2, 3, 4, 5].map((step) => [`src/core/steps/${step}.ts`, ""])),
  ],
  ["arrows", "import in a type", "src/core/address/ip.ts:1", `let a: import("../steps/send.ts").A;`],
  ["cycles", "three leaves", "src/c.ts:2", `\nimport "./a.ts";`, {
    "src/a.ts": `import "./b.ts";`,
    "src/b.ts": `import "./c.ts";`,
  }],
  ["cycles", "a file and itself", "src/a.ts:1", `import "./a.ts";`],
  ["packages", "a tool", "src/ip.ts:1", `import "vitest/node";`, NPM],
  ["packages", "an optional one, always", "src/ip.ts:1", `import "c";`, NPM],
  ["portable", "node: module", "src/ip.ts:1", `import { isIP } from "node:net";`],
  ["portable", "Bun", "src/ip.ts:2", `// →→→\nif (typeof Bun) f();`],
  ["portable", "Deno as a type", "src/ip.ts:1", `let a: Deno.Conn;`],
  ["portable", "process in a template", "src/ip.ts:1", "f(`${process.pid}`);"],
  ["portable", "Buffer of globalThis", "src/parts/console/a.ts:1", `globalThis.Buffer;`],
  ["portable", "process taken apart", "src/ip.ts:1", `const { process } = globalThis;`],
  ["portable", "computed import", "src/ip.ts:1", `await import(name);`],
  ["unasked", "the versions", "src/wire/a.ts:1", `"deno" in process.versions;`],
  ["unasked", "Bun", "src/wire/tls/a.ts:1", `typeof Bun;`],
  ["globals", "fetch replaced", "src/runtimes/a.ts:1", `globalThis.fetch = f;`],
  ["entry-size", "41 lines", "src/runtimes/bun.ts:1", lines(41)],
  ["proxy-size", "101 lines", "src/core/proxy.ts:1", lines(101)],
  ["file-size", "251 lines", "src/ip.ts:1", lines(251)],
  ["file-size", "a long script", "scripts/build.ts:1", lines(251)],
  ["function-size", "41 lines", "src/ip.ts:2", `\n${functionOf(41)}`],
  ["function-size", "a long method", "src/ip.ts:1", `class A { f() {\n${lines(40)}} }`],
  ["header", "no comment", "src/ip.ts:1", `export {};`],
  ["header", "no @module", "src/ip.ts:1", `/** Addresses. */`],
  ["header", "no sentence", "src/ip.ts:1", `/** @module */`],
  ["header", "not first", "src/ip.ts:1", `f();\n/** Addresses. @module */`],
  ["docs", "function", "src/ip.ts:2", `\nexport function f() {}`],
  ["docs", "constant", "src/ip.ts:3", `/** A. */\nf();\nexport const a = 1;`],
  ["docs", "type below @module", "src/ip.ts:2", `/** A. @module */\nexport type A = 1;`],
  ["docs", "interface with a plain comment", "src/ip.ts:2", `// A.\nexport interface A {}`],
  ["docs", "class", "src/runtimes/a.ts:1", `export class A {}`],
  ["docs", "default", "src/ip.ts:1", `export default function f() {}`],
  ["docs", "exported later", "src/ip.ts:2", `\nconst a = 1;\nexport { a };`],
  ["suppressions", "@ts-ignore", "src/ip.ts:1", `// @ts-ignore it works`],
  ["suppressions", "@ts-expect-error", "src/ip.ts:1", `/* @ts-expect-error */`],
  ["suppressions", "deno-lint-ignore", "test/a.ts:1", `// deno-lint-ignore no-explicit-any`],
  ["leftovers", "TODO", "scripts/a.ts:2", `\n// TODO later`],
  ["leftovers", "FIXME in a page", "src/console/page.html:2", `<p>\n<!-- FIXME -->`],
  ["quirks", "Deno", "src/core/http/a.ts:2", `\n// Deno (2.9) says so`],
  ["built", "a pattern made of a text", "src/ip.ts:1", `const p = new RegExp(key, "g");`],
  ["built", "the same without new", "src/ip.ts:1", "const p = RegExp(`a${key}`);"],
  ["names", "utils", "src/utils.ts:1", ""],
  ["names", "folder of helpers", "test/helpers/a.ts:1", ""],
  ["tested", "no test file", "src/ip.ts:1", ""],
  ["test-branches", "if", "test/a.test.ts:2", `it("a", () => {\nif (b) c();\n});`],
  ["test-branches", "if in it.each", "test/a.ts:1", `it.each(rows)("a", () => { if (b) c(); });`],
  ["test-loops", "for", "test/a.ts:1", `for (const a of b) it("a", f);`],
  ["test-loops", "forEach", "test/a.ts:1", `b.forEach((a) => it("a", f));`],
  ["test-switches", "skip", "test/a.ts:1", `it.skip("a", f);`],
  ["test-switches", "only", "test/a.ts:1", `describe.only.each(b)("a", f);`],
  ["test-switches", "todo", "test/a.ts:1", `it.todo("a");`],
  ["test-switches", "condition", "test/a.ts:1", `it.skipIf(!bun)("a", f);`],
  ["test-switches", "option", "test/a.ts:1", `it("a", { skip: true }, f);`],
  ["test-switches", "alias", "test/a.ts:1", `xit("a", f);`],
  ["manifests", "version", "deno.json:1", jsr({ version: "1.0.1" }), NPM],
  ["manifests", "name", "deno.json:1", jsr({ name: "@fetchvia/proxy" }), NPM],
  ["manifests", "an export missing", "deno.json:1", jsr({ exports: {} }), NPM],
  ["manifests", "another file", "deno.json:1", jsr({ exports: { ".": "./src/a.ts" } }), NPM],
  ["manifests", "an export without types", "deno.json:1", jsr({}), npm({ default: "./dist/index.js" })],
  [
    "manifests",
    "an export with the types of another",
    "deno.json:1",
    jsr({}),
    npm({ types: "./dist/client.d.ts", default: "./dist/index.js" }),
  ],
  ["version", "another", "src/core/settings/version.ts:1", `export const VERSION = "1.0.1";`, NPM],
  ["twice", "a bullet", "docs/a.md:4", "# A\n- **B** c\n- **D** e\n- **B** f\n"],
  ["twice", "an address", "docs/a.md:3", "# A\n| `/a` | b |\n| `/a` | c |\n"],
  ["twice", "a row", "docs/a.md:3", `# A\n${"| the same row of a table |\n".repeat(2)}`],
  ["npx", "a line", "docs/recipes/a.md:2", "```sh\nfetchvia --port 1\n```\n"],
  ["npx", "a variable before it", "docs/a.md:3", "```sh\nls\nA=b fetchvia check a\n```\n"],
  ["npx", "within a line", "README.md:2", '```sh\ncurl "$(fetchvia encode a)"\n```\n'],
  ["proved", "no file, on a page below", "docs/specification/wire.md:1", "- **17.1** B. [a: c]\n"],
  ["proved", "no file", "docs/specification.md:3", "# A\n\n- **1.1** B. [a: c]\n"],
  ["proved", "other words", "docs/specification.md:2", "- **1.1** A. [a: b c]\n- **1.2** B\n  C. [a: d]\n", {
    "test/a.ts": `it("b c", f);`,
  }],
  ["proved", "a first of two", "docs/specification.md:1", "- **1.1** A. [a: no]\n  [a: b c]\n", {
    "test/a.ts": `it("b c", f);`,
  }],
  ["guide", "a test that is not there", "test/README.md:2", "# A\n[a: b c] [a: d]\n", {
    "test/a.ts": `it("b c", f);`,
  }],
  ["page-size", "a long page", "docs/a.md:1", "a\n".repeat(201)],
  ["cited", "a rule that is not there", "src/a.ts:2", "f();\n// As rules 1.1 to 1.3 say.", {
    "docs/specification.md": "- **1.1** A. [a: b]\n",
  }],
]);

/** Files that look close to a flaw and have none. */
const KEPT = rowsOf(["rule", "sample", "path", "text", "beside"], [
  [
    "twice",
    "a bullet in two sections",
    "docs/a.md",
    "# A\n- **B** c\n# D\n- **B** e\n| `a` | b |\n| `a` | c |\n",
  ],
  [
    "npx",
    "other lines",
    "docs/a.md",
    "```sh\nnpx fetchvia\ncd a && cd fetchvia\n```\n`fetchvia run`\n```\nfetchvia: b\n```\n",
  ],
  ["proved", "a rule of two lines", "docs/specification.md", "- **1.1** A\n  B. [on/a: b\n  c]\n", {
    "test/on/a.ts": `it("b c", f);`,
  }],
  ["guide", "a test that is there", "test/README.md", "[a: b c]\n", { "test/a.ts": `it("b c", f);` }],
  ["page-size", "a page", "docs/a.md", "a\n".repeat(200)],
  ["cited", "two rules", "src/a.ts", "// rules 1.1 and 1.2", {
    "docs/specification.md": "- **1.1** A. [a: b]\n- **1.2** B. [a: b]\n",
  }],
  [
    "arrows",
    "runtime to index and rooms",
    "src/runtimes/bun/a.ts",
    `import "../../index.ts"; import "../../core/http/a.ts"; import "../../wire/turn.ts"; import "./b.ts";`,
  ],
  ["arrows", "proxy to steps", "src/core/proxy.ts", `import "./steps/send.ts"; import "./http/error.ts";`],
  ["arrows", "page to step, pages", "src/core/pages/a.ts", `import "../steps/target.ts"; import "./b/c.ts";`],
  [
    "arrows",
    "the page's script to the client",
    "src/console/a.ts",
    `import "../client/client.ts"; import "../parts/console/page-facts.ts";`,
  ],
  ["arrows", "step to a package", "src/core/steps/send.ts", `import "../address/ip.ts"; import "ipaddr.js";`],
  [
    "arrows",
    "client to its few",
    "src/client/client.ts",
    `import "../core/address/label.ts"; import "../core/address/signature.ts"; import "./unseal.ts";`,
  ],
  ["arrows", "the version", "src/core/settings/version.ts", `import a from "../../../package.json";`],
  ["arrows", "tests import everything", "test/send.test.ts", `import "../../src/core/steps/target.ts";`],
  ["cycles", "two ways to one leaf", "src/a.ts", `import "./b.ts"; import "./c.ts";`, {
    "src/b.ts": `import "./c.ts";`,
    "src/c.ts": "",
  }],
  ["packages", "a dependency", "src/ip.ts", `import "@a/b/c";`, NPM],
  ["packages", "an optional one", "src/ip.ts", `import("c");`, NPM],
  ["packages", "what a runtime has", "src/runtimes/a.ts", `import "node:net"; import "bun";`],
  ["portable", "words in text", "src/ip.ts", `// Bun\nf("Deno", /Buffer/, \`process\`);`],
  ["portable", "a property's own name", "src/ip.ts", `f(a.process, { Bun: 1 });`],
  ["portable", "a member's own name", "src/ip.ts", `interface A { process(): void; Deno: 1 }`],
  ["portable", "a runtime", "src/runtimes/node.ts", `import "node:net"; process.exit();`],
  ["unasked", "the environment", "src/wire/a.ts", `process.env["A"];`],
  ["unasked", "a runtime", "src/runtimes/process/a.ts", `process.versions;`],
  ["globals", "reading", "src/ip.ts", `a.fetch = globalThis.fetch;`],
  ["entry-size", "comments apart", "src/runtimes/bun.ts", lines(40) + lines(9, "// a\n/* b\n\nc */")],
  ["entry-size", "not an entry", "src/runtimes/dns.ts", lines(41)],
  ["proxy-size", "100 lines", "src/core/proxy.ts", lines(100)],
  ["file-size", "250 lines", "src/ip.ts", lines(250)],
  ["file-size", "console apart", "src/console/page.ts", lines(251)],
  ["function-size", "40 lines", "src/ip.ts", functionOf(40)],
  ["header", "sentence and @module", "src/ip.ts", `/**\n * Addresses.\n * @module\n */\nf();`],
  ["header", "below a hashbang", "src/runtimes/main.ts", `#!/usr/bin/env bun\n/** Starts. @module */`],
  ["docs", "documented", "src/ip.ts", `/** A. */\nexport const a = 1;\n/** B. */\nexport type B = 1;`],
  ["docs", "documented, exported later", "src/ip.ts", `/** A. */\nclass A {}\nexport { A as B };`],
  ["docs", "re-exports and inner names", "src/index.ts", `export { a } from "./ip.ts";\nfunction b() {}`],
  ["docs", "an entry's object", "src/runtimes/bun.ts", `export default {};`],
  ["docs", "overloads", "src/a.ts", `/** F. */\nexport function f(): void;\nexport function f(a?: 1) {}`],
  ["suppressions", "in a string", "test/a.ts", `f("// @ts-ignore");`],
  ["leftovers", "in a string, as part of a word", "src/ip.ts", `f("TODO"); // TODOS`],
  [
    "quirks",
    "in its room, and the module that a writable comes from",
    "src/core/http/a.ts",
    `// A writable of node:stream, on some platforms`,
    { "src/runtimes/deno/a.ts": "// Deno (2.9)" },
  ],
  ["built", "what a user types", "src/console/traffic/filter.ts", "const p = new RegExp(typed);"],
  ["names", "one of the words inside", "src/subtypes.ts", ""],
  ["tested", "its test file", "src/a/ip.ts", "", { "test/a/ip.test.ts": "" }],
  [
    "rooms",
    "five steps",
    "src/core/steps/5.ts",
    "",
    Object.fromEntries([1, 2, 3, 4].map((step) => [`src/core/steps/${step}.ts`, ""])),
  ],
  ["tested", "re-exports", "src/index.ts", ""],
  ["tested", "types", "src/core/runtime.ts", ""],
  ["tested", "a part of a runtime", "src/runtimes/dns.ts", ""],
  ["test-branches", "if beside the tests", "test/a.ts", `function f() { if (a) b(); }\nit("a", f);`],
  ["test-loops", "loop inside a test", "test/a.ts", `it("a", () => { for (const a of b) c(a); });`],
  ["test-switches", "words of other things", "test/a.ts", `it("skip", () => f({ only: 1 }, skip));`],
  ["manifests", "equal", "deno.json", jsr({}), NPM],
  ["version", "the same", "src/core/settings/version.ts", `export const VERSION = "1.0.0";`, NPM],
]);

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
