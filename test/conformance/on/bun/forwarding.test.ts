/**
 * How requests and answers are carried on Bun, byte by byte and in time.
 * @module
 */
import { conformanceForwarding } from "../../suites/forwarding.ts";

conformanceForwarding("bun");
