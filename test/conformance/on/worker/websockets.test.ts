/**
 * WebSockets on workerd.
 * @module
 */
import { conformanceWebSockets } from "../../suites/websockets.ts";

conformanceWebSockets("worker");
