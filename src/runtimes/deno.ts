/**
 * The entry for Deno: `deno serve` serves its default export; settings come from the environment.
 * @module
 */

import process from "node:process";
import { readConfig } from "../index.ts";
import { createHandler } from "./serve-deno.ts";

export default { fetch: createHandler(readConfig(process.env)) };
