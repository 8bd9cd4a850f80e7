/**
 * Signed links in Python.
 * @module
 */
import { describeProgram } from "../support/signed-links.ts";

describeProgram("Python", { fence: "python", file: "sign.py", command: ["python3"] });
