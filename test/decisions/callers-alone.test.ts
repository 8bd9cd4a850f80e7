/**
 * The rules of the seed with the core alone.
 * @module
 */
import { useCoreWithout } from "../support/core-alone.ts";
import { conformanceCallers } from "../conformance/suites/callers.ts";

useCoreWithout([
  "a form gives the verdict",
  "a signed link",
  "signed links without a token",
  "proxy_headers",
  "proxy_seal",
  "the console",
  "a WebSocket of the console",
  "metrics",
]);
conformanceCallers("node");
