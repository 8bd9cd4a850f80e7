/**
 * `npm start` where something of the installation is missing: says what, and what makes it.
 * @module
 */
import { existsSync } from "node:fs";
import process from "node:process";

console.error(
  existsSync("node_modules")
    ? "fetchvia cannot start: the scripts of the installation were not run (npm ci --ignore-scripts), expected Bun and the " +
      "console's page. Make them with: npm rebuild --ignore-scripts=false bun && npm run console"
    : "fetchvia cannot start: its dependencies are not installed. Install them with: npm ci",
);
process.exit(1);
