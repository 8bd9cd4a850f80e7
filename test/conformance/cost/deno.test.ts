/**
 * What costs memory and time on Deno.
 * @module
 */
import { conformanceCost } from "../suites/cost.ts";

conformanceCost("deno");
