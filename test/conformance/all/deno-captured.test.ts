/**
 * Forwarding and WebSockets on Deno once more, with capture on: it changes nothing.
 * @module
 */
import { conformanceAgain } from "../suites/again.ts";
import type { Complete } from "../../support/pool.ts";

const captured: Complete = (settings) => Promise.resolve({ ...settings, CAPTURE: "64KiB" });

conformanceAgain("deno", captured);
