/**
 * Requests copied from the console in Go.
 * @module
 */
import { writeGo } from "../../src/console/share/languages/go.ts";
import { describeCopied } from "../support/copied-code.ts";

describeCopied({
  name: "Go",
  file: "copied.go",
  command: ["go", "run"],
  write: (request) => writeGo(request),
});
