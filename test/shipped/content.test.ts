/**
 * What stands in the package: links that lead somewhere, the licence of what is written into it, and what registries show of it.
 * @module
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import jsr from "../../deno.json" with { type: "json" };
import manifest from "../../package.json" with { type: "json" };
import { Project } from "../support/package.ts";
import { ROOT } from "../support/proxy.ts";

const REPOSITORY = "https://github.com/fetchvia/fetchvia";
/** Where files of the repository that are not in the package are shown. */
const SHOWN = `${REPOSITORY}/blob/main/`;

let project: Project;
let files: string[];

beforeAll(async () => {
  project = await Project.create();
  const folder = join(project.folder, "node_modules", manifest.name);
  files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) =>
    path.replaceAll("\\", "/")
  );
}, 60_000);
afterAll(() => project.remove());

function read(path: string): string {
  return readFileSync(join(project.folder, "node_modules", manifest.name, path), "utf8");
}

/** The addresses of all links in a text, without those in code. */
function linksOf(markdown: string): string[] {
  const prose = markdown.replace(/^```.*?^```/gms, "").replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(\s*<?([^)\s>]+)/g)].map(([, address = ""]) => address);
}

/** The anchors of the headings, as GitHub and npm make them. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.replace(/^```.*?^```/gms, "").matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, text = ""]) =>
    text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-")
  );
}

/** Why a link leads nowhere; `undefined` if it does, or leads out of the project. */
function faultOf(from: string, link: string): string | undefined {
  if (link.startsWith(SHOWN)) {
    return existsSync(join(ROOT, link.slice(SHOWN.length)))
      ? undefined
      : `${from}: ${link} is in no repository`;
  }
  if (/^[a-z]+:/.test(link)) return undefined;
  const [path = "", anchor] = link.split("#", 2);
  const file = path === "" ? from : normalize(join(dirname(from), path));
  if (!files.includes(file)) return `${from}: ${link} is not in the package`;
  return anchor === undefined || anchorsOf(read(file)).includes(anchor)
    ? undefined
    : `${from}: no heading for ${link}`;
}

describe("the links of the package", () => {
  it("lead to files and headings in it, or to the repository", () => {
    const texts = files.filter((path) => path.endsWith(".md"));
    expect(texts).toEqual(expect.arrayContaining(["README.md", "CHANGELOG.md", "docs/SECURITY.md"]));
    const faults = texts.flatMap((path) => linksOf(read(path)).map((link) => faultOf(path, link)));
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  });

  it.each([
    { link: "docs/nowhere.md", fault: "README.md: docs/nowhere.md is not in the package" },
    { link: "docs/workers.md#nowhere", fault: "README.md: no heading for docs/workers.md#nowhere" },
    { link: "#nowhere", fault: "README.md: no heading for #nowhere" },
    { link: `${SHOWN}NOWHERE.md`, fault: `README.md: ${SHOWN}NOWHERE.md is in no repository` },
    { link: "docs/workers.md#who-may-reach-what", fault: undefined },
    { link: "#settings", fault: undefined },
  ])("are told apart: $link", ({ link, fault }) => expect(faultOf("README.md", link)).toBe(fault));
});

it.each(["ipaddr.js", "itty-router", "fflate", "preact"])(
  "holds %s, with its licence, and asks for no installation of it",
  (name) => {
    const license = readFileSync(join(ROOT, "node_modules", name, "LICENSE"), "utf8");
    expect(license).toContain("Permission is hereby granted");
    expect(read(`dist/${name}.license.txt`)).toBe(license);
    const chunks = readdirSync(join(ROOT, "dist")).filter((file) => file.endsWith(".js"));
    expect(chunks.filter((file) => read(`dist/${file}`).includes(`from"${name}"`))).toEqual([]);
  },
);

describe("what registries show of the package", () => {
  it("is where it comes from, and who made it", () => {
    expect(manifest).toMatchObject({
      repository: { type: "git", url: `git+${REPOSITORY}.git` },
      homepage: `${REPOSITORY}#readme`,
      bugs: { url: `${REPOSITORY}/issues` },
      author: "The fetchvia maintainers",
    });
    expect(read("LICENSE")).toContain("the fetchvia maintainers");
    expect(manifest.keywords).toContain("proxy");
  });

  it("is the same text on both", () => {
    const shipped = manifest.files.filter((path) => !/^(?:dist|src\/|!)/.test(path));
    expect(jsr.publish.include).toEqual(expect.arrayContaining([...shipped, "README.md", "LICENSE"]));
  });
});
