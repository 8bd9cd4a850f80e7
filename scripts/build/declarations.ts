/**
 * The types of the package: the declarations by tsc of each entry and of all files that it imports.
 * @module
 */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** TypeScript has had these generic types since 5.7. The return type of `slice` is the same in each version. */
const BYTES: readonly [generic: string, plain: string][] = [
  ["Uint8Array<ArrayBuffer>", 'ReturnType<Uint8Array["slice"]>'],
  ["Uint8Array<ArrayBufferLike>", "Uint8Array"],
];

/**
 * Declares the types of some sources.
 *
 * @returns path in dist → content
 * @throws {Error} with what tsc says
 */
export async function declareTypes(root: string, sources: readonly string[]): Promise<Map<string, string>> {
  const scratch = await mkdtemp(join(tmpdir(), "fetchvia-types-"));
  try {
    const out = join(scratch, "out");
    const config = join(scratch, "tsconfig.json");
    await writeFile(config, JSON.stringify(configOf(root, sources, out)));
    await run(join(root, "node_modules/typescript/bin/tsc"), ["-p", config]).catch(({ stdout }) => {
      throw new Error(`Cannot declare types: tsc found faults\n${stdout}`);
    });
    return readNamed(await readAll(out), sources.map((path) => path.replace(/^src\/(.+)\.ts$/, "$1.d.ts")));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The declarations of the entries, and of all files that they import. */
function readNamed(all: ReadonlyMap<string, string>, entries: readonly string[]): Map<string, string> {
  const named = new Map<string, string>();
  const visit = (path: string) => {
    const text = all.get(path);
    if (text === undefined || named.has(path)) return;
    named.set(path, text);
    for (const [, from = ""] of text.matchAll(/\b(?:from|import)\s*\(?"(\.[^"]+)\.ts"/g)) {
      visit(`${posix.join(posix.dirname(path), from)}.d.ts`);
    }
  };
  entries.forEach(visit);
  return named;
}

/** Rewrites the types of bytes so that TypeScript 5.4 can read them too. */
function spellBytes(text: string): string {
  return BYTES.reduce((spelled, [generic, plain]) => spelled.replaceAll(generic, plain), text);
}

function configOf(root: string, sources: readonly string[], outDir: string): object {
  return {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: join(root, "src"),
      outDir,
      typeRoots: [join(root, "node_modules/@types")],
    },
    include: [],
    files: sources.map((path) => join(root, path)),
  };
}

async function readAll(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) =>
    join(parentPath, name)
  );
  return new Map(
    await Promise.all(
      paths.map(async (path) =>
        [
          path.slice(folder.length + 1).replaceAll("\\", "/"),
          spellBytes(await readFile(path, "utf8")),
        ] as const
      ),
    ),
  );
}
