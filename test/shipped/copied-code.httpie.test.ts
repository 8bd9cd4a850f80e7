/**
 * Requests copied from the console, sent by the real HTTPie. It takes no method but letters and no field but UTF-8. It encodes
 * addresses in its own way, and its library writes two fields where there are none.
 * @module
 */
import { writeHttpie } from "../../src/console/share/languages/shell.ts";
import { CASES, describeCopied } from "../support/copied-code.ts";

describeCopied({
  name: "HTTPie",
  file: "copied.sh",
  command: ["bash"],
  cases: CASES.filter((request) => !writeHttpie({ ...request, url: "http://a.test/" }).startsWith("#")),
  adds: /^(?:user-agent|accept-encoding)$/,
  write: (request) => writeHttpie(request),
});
