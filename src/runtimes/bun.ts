/**
 * The entry for Bun: `bun run` serves its default export; settings come from the environment.
 * @module
 */

import { readConfig } from "../index.ts";
import { lend } from "./lend.ts";
import { serverOptions } from "./serve-bun.ts";

const config = readConfig(process.env);

export default serverOptions(config, await lend(config.host, () => config.port));
