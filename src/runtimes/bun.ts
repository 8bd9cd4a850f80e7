/**
 * The entry for Bun: `bun run` serves its default export; settings come from the environment.
 * @module
 */

import { readConfig } from "../index.ts";
import { serverOptions } from "./serve-bun.ts";

export default serverOptions(readConfig(process.env));
