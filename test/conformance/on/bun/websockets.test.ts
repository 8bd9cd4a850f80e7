/**
 * WebSockets on Bun.
 * @module
 */
import { conformanceWebSockets } from "../../suites/websockets.ts";

conformanceWebSockets("bun");
