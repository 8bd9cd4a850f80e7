/**
 * Requests copied from the console in curl.
 * @module
 */
import { writeCurl } from "../../src/console/share/languages/shell.ts";
import { describeCopied } from "../support/copied-code.ts";

describeCopied({
  name: "curl",
  file: "copied.sh",
  command: ["bash"],
  write: (request) => writeCurl(request),
});
