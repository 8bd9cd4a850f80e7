/**
 * Signed links in Go.
 * @module
 */
import { describeProgram } from "../support/signed-links.ts";

describeProgram("Go", { fence: "go", file: "sign.go", command: ["go", "run"] });
