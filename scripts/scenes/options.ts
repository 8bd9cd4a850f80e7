/**
 * The options of `npm run scenes`.
 * @module
 */
import { parseArgs } from "node:util";

/** What `--help` prints. */
export const HELP = `npm run scenes -- [options]
  --runtime=name     bun (default), node or deno; node runs what npm run build has made
  --only=1,5,9       these scenes
  --shots=folder     pictures of the page too: three widths, light and dark
  --axe              what axe finds in each state of the page, too`;

const RUNTIMES = ["bun", "node", "deno"] as const;

/** What a run does. */
export interface SceneOptions {
  help: boolean;
  runtime: (typeof RUNTIMES)[number];
  hasScene(number: number): boolean;
  /** The folder for pictures; `undefined` for none. */
  shots?: string;
  axe: boolean;
}

/**
 * Reads the options.
 *
 * @throws {Error} in one line, for what is unknown or bad
 */
export function readSceneOptions(args: string[]): SceneOptions {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: "boolean", default: false },
      axe: { type: "boolean", default: false },
      runtime: { type: "string", default: "bun" },
      only: { type: "string" },
      shots: { type: "string" },
    },
  });
  const { help, axe, only, shots } = values;
  const runtime = RUNTIMES.find((name) => name === values.runtime);
  if (!runtime) throw new Error(`--runtime is ${values.runtime}, expected one of ${RUNTIMES.join(", ")}`);
  const numbers = only?.split(",").map(Number);
  if (numbers?.some((number) => !Number.isInteger(number) || number < 1)) {
    throw new Error(`--only is ${only}, expected numbers of scenes such as 1,5,9`);
  }
  return {
    help,
    axe,
    runtime,
    hasScene: (number) => numbers?.includes(number) ?? true,
    ...(shots !== undefined && { shots }),
  };
}
