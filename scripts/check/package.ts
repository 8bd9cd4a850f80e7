/**
 * The check of the package as npm makes it: `publint` over the packed file.
 * @module
 */
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { runTool, type Tool, type ToolResult } from "./tools.ts";

/** Files and folders that are packed in addition to dist. */
const FILES = ["package.json", "README.md", "LICENSE", "CHANGELOG.md", "docs", "src"];

/**
 * Builds and packs in the scratch folder, because a check must not touch the dist from which other programs run.
 *
 * @returns the packed file, or the result of the program that failed
 */
export async function packPackage(root: string, scratch: string): Promise<string | ToolResult> {
  const folder = join(scratch, "package");
  await mkdir(folder);
  await Promise.all(FILES.map((path) => cp(join(root, path), join(folder, path), { recursive: true })));
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
