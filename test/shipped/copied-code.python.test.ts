/**
 * Requests copied from the console in Python.
 * @module
 */
import { writePython } from "../../src/console/share/languages/python.ts";
import { describeCopied } from "../support/copied-code.ts";

describeCopied({
  name: "Python",
  file: "copied.py",
  command: ["python3"],
  write: (request) => writePython(request),
});
