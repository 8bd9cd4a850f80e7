/**
 * What costs memory and time on Node.
 * @module
 */
import { conformanceCost } from "../suites/cost.ts";

conformanceCost("node");
