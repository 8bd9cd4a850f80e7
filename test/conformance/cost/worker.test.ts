/**
 * What costs memory and time on workerd.
 * @module
 */
import { conformanceCost } from "../suites/cost.ts";

conformanceCost("worker");
