/**
 * `npm start` where the scripts of the installation were not run: says what is missing.
 * @module
 */
import process from "node:process";

console.error(
  "fetchvia cannot start: the scripts of the installation were not run (npm ci --ignore-scripts), expected Bun and the " +
    "console's page. Make them with: npm rebuild --ignore-scripts=false bun && npm run console",
);
process.exit(1);
