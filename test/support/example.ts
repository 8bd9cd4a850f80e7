/**
 * Configurations of development servers, as docs/dev-servers.md shows them.
 * @module
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeAppFolder } from "./apps.ts";
import { ROOT } from "./proxy.ts";

/** A configuration in a file of its own, for a target of ours. */
export class Example {
  readonly file: string;
  readonly #folder: string;

  /** @param name the file that the block of code is for; the block is of the language of its ending */
  constructor(name: string, target: string) {
    const text = readFileSync(join(ROOT, "docs/dev-servers.md"), "utf8");
    const [, code] = text.split(`\`\`\`${name.slice(-2)} ${name}\n`);
    if (!code) throw new Error(`Cannot find ${name}: docs/dev-servers.md has no such block`);
    this.#folder = makeAppFolder();
    this.file = join(this.#folder, name.replace(/js$/, "mjs"));
    writeFileSync(this.file, code.split("```")[0]!.replace("http://localhost:3000", target));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
