/**
 * What costs memory and time on Bun.
 * @module
 */
import { conformanceCost } from "../suites/cost.ts";

conformanceCost("bun");
