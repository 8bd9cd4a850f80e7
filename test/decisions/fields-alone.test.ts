/**
 * The rules of the seed with the core alone.
 * @module
 */
import { useCoreWithout } from "../support/core-alone.ts";
import { conformanceFields } from "../conformance/suites/fields.ts";

useCoreWithout([]);
conformanceFields("node");
