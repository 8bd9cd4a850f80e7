/**
 * Signed links in a shell.
 * @module
 */
import { describeProgram } from "../support/signed-links.ts";

describeProgram("a shell", {
  fence: "sh",
  file: "sign.sh",
  command: ["sh"],
  write: (target) => encodeURIComponent(target).replaceAll("'", "%27"),
});
