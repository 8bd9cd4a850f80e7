/**
 * Forwarding and WebSockets on Bun once more, with capture on: it changes nothing (contract 16).
 * @module
 */
import { conformanceForwarding } from "../suites/forwarding.ts";
import { conformanceWebSockets } from "../suites/websockets.ts";

const captured = () => Promise.resolve({ CAPTURE: "64KiB" });

conformanceForwarding("bun", captured);
conformanceWebSockets("bun", captured);
