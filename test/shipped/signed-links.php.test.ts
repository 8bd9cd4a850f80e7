/**
 * Signed links in PHP.
 * @module
 */
import { describeProgram } from "../support/signed-links.ts";

describeProgram("PHP", { fence: "php", file: "sign.php", command: ["php"] });
