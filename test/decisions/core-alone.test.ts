/**
 * The rules of the seed with the core alone.
 * @module
 */
import { useCoreWithout } from "../support/core-alone.ts";
import { conformance } from "../conformance/suites/core.ts";

useCoreWithout([
  "an address in another proxy",
  "a redirect of an address in a form",
  "an address in a form",
  "the fields of another proxy",
  "a preflight for them",
  "goes on for the console",
  "goes on where nobody is trusted",
  "answers Accept 'text/html",
  "answers Accept 'application/json;q=0.5",
  "shows the console",
  "give metrics",
  "the console loads",
]);
conformance("node");
