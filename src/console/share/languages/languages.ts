/**
 * The languages in which a request can be copied.
 * @module
 */

import type { PlainRequest } from "../plain-request.ts";
import { writeCurl } from "./curl-command.ts";
import { writeFetch } from "./fetch-call.ts";
import { writeGo } from "./go.ts";
import { writeHttpie } from "./httpie.ts";
import { writePython } from "./python.ts";

/** One language. */
export interface Language {
  name: string;
  /** Writes a request that goes straight to its target. */
  write(request: PlainRequest): string;
}

/** All of them, the most used first. */
export const LANGUAGES: readonly Language[] = [
  { name: "curl", write: (request) => writeCurl(request) },
  { name: "fetch", write: writeFetch },
  { name: "Python", write: writePython },
  { name: "Go", write: writeGo },
  { name: "HTTPie", write: writeHttpie },
];
