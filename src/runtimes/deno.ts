/**
 * The entry for Deno: `deno serve` serves its default export; settings come from the environment.
 * @module
 */

import process from "node:process";
import { readConfig } from "../index.ts";
import { lookUp } from "./lend.ts";
import { createHandler } from "./serve-deno.ts";

// `deno serve` listens where its own flags say, so what is known of the listener is left out.
export default { fetch: createHandler(readConfig(process.env), { resolve: lookUp }) };
