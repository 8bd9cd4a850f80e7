/**
 * Forwarding and WebSockets on Node once more, with capture on: it changes nothing (contract 16).
 * @module
 */
import { conformanceForwarding } from "../suites/forwarding.ts";
import { conformanceWebSockets } from "../suites/websockets.ts";
import type { Complete } from "../../support/pool.ts";

const captured: Complete = (settings) => Promise.resolve({ ...settings, CAPTURE: "64KiB" });

conformanceForwarding("node", captured);
conformanceWebSockets("node", captured);
