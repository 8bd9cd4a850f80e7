/**
 * The check of the package as npm makes it: `publint` over the packed file.
 * @module
 */
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { runTool, type Tool, type ToolResult } from "./tools.ts";

/** Files and folders that are packed in addition to dist and the manifest. */
const FILES = ["README.md", "LICENSE", "CHANGELOG.md", "docs", "src"];

/** The manifest without what works in the repository alone: scripts whose files are not packed, and tools. */
function writeManifest(): string {
  const { scripts: _scripts, devDependencies: _tools, allowScripts: _allowed, ...packed } = manifest;
  return `${JSON.stringify(packed, null, 2)}\n`;
}

/**
 * Builds and packs in the scratch folder, because a check must not touch the dist from which other programs run.
 *
 * @returns the packed file, or the result of the program that failed
 */
export async function packPackage(root: string, scratch: string): Promise<string | ToolResult> {
  const folder = join(scratch, "package");
  await mkdir(folder);
  await Promise.all(FILES.map((path) => cp(join(root, path), join(folder, path), { recursive: true })));
  await writeFile(join(folder, "package.json"), writeManifest());
  const build: Tool = {
    name: "build",
    about: "bun scripts/build.ts",
    command: [process.execPath, "scripts/build.ts", join(folder, "dist")],
  };
  const built = await runTool(root, build);
  if (!built.passed) return built;
  // Without scripts: `prepack` would build into the folder that is packed.
  const command = ["npm", "pack", "--ignore-scripts", "--offline", "--pack-destination", scratch] as const;
  const packed = await runTool(folder, { name: "pack", about: "npm pack", command: [...command] });
  return packed.passed ? join(scratch, `${manifest.name}-${manifest.version}.tgz`) : packed;
}

/** The tool that judges a packed file. */
export function judgePackage(root: string, file: string): Tool {
  const publint = join(root, "node_modules/.bin/publint");
  return { name: "publint", about: "publint over the packed file", command: [publint, file, "--strict"] };
}
