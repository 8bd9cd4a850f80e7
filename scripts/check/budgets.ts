/**
 * The ratchet: lines of code by room, and duplicate file names. `BUDGETS=write` lowers a number by itself; only a person
 * may raise one, in a commit that says why.
 * @module
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

/** Groups of rooms that share one budget: the files of a folder but some, or only some. */
const ROOMS: readonly { name: string; folder: string; but?: readonly string[]; only?: RegExp }[] = [
  { name: "core", folder: "src/core" },
  { name: "parts without the console", folder: "src/parts", but: ["src/parts/console"] },
  { name: "console", folder: "src/console" },
  { name: "parts/console", folder: "src/parts/console" },
  { name: "wire", folder: "src/wire" },
  { name: "runtimes", folder: "src/runtimes" },
  { name: "command", folder: "src/command" },
  { name: "fetchvia run", folder: "src/command", only: /command\/run\// },
  { name: "audit, report and sign", folder: "src/parts", only: /parts\/(?:audit|report|gate\/sign)\// },
  { name: "client", folder: "src/client" },
  { name: "test", folder: "test" },
  { name: "scripts", folder: "scripts" },
];
const FILE = "scripts/budgets.json";
/** Generated, so it is not counted. */
const BUILT = "src/parts/console/assets.ts";

/** Lists what is over its budget. */
export async function checkBudgets(root: string): Promise<string[]> {
  const budgets = JSON.parse(await readFile(join(root, FILE), "utf8")) as Record<string, number>;
  const counted = Object.fromEntries(
    await Promise.all([
      ...ROOMS.map(async ({ name, folder, but = [], only = /^/ }) =>
        [name, await countLines(root, folder, { but, only })] as const
      ),
      countTwice(root).then((count) => ["file names that stand twice", count] as const),
    ]),
  );
  if (process.env.BUDGETS === "write") {
    const lower = Object.entries(counted).map((
      [name, lines],
    ) => [name, Math.min(lines, budgets[name] ?? lines)]);
    await writeFile(join(root, FILE), `${JSON.stringify(Object.fromEntries(lower), undefined, 2)}\n`);
  }
  return Object.entries(counted)
    .filter(([name, lines]) => lines > (budgets[name] ?? 0))
    .map(([name, lines]) =>
      `${name}: ${lines}, expected ${
        budgets[name]
      } at most: delete first, or raise it in ${FILE} with the reason`
    );
}

async function countTwice(root: string): Promise<number> {
  const paths = await readdir(join(root, "src"), { recursive: true });
  const names = paths.filter((path) => path.endsWith(".ts")).map((path) => basename(path));
  return new Set(names.filter((name, at) => names.indexOf(name) !== at)).size;
}

async function countLines(
  root: string,
  folder: string,
  which: { readonly but: readonly string[]; readonly only: RegExp },
): Promise<number> {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const counts = await Promise.all(entries.map(async (entry) => {
    const path = `${folder}/${entry.name}`;
    if (which.but.includes(path) || path === BUILT || entry.name === "node_modules") return 0;
    if (entry.isDirectory()) return await countLines(root, path, which);
    if (!which.only.test(path) || !/\.(?:ts|css|html|mjs)$/.test(entry.name)) return 0;
    return (await readFile(join(root, path), "utf8")).split("\n").length - 1;
  }));
  return counts.reduce((sum, count) => sum + count, 0);
}
