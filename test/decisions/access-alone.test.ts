/**
 * The rules of the seed with the core alone.
 * @module
 */
import { useCoreWithout } from "../support/core-alone.ts";
import { conformanceAccess } from "../conformance/suites/access.ts";

useCoreWithout([]);
conformanceAccess("node");
