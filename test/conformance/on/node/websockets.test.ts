/**
 * WebSockets on Node.
 * @module
 */
import { conformanceWebSockets } from "../../suites/websockets.ts";

conformanceWebSockets("node");
