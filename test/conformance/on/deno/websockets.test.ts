/**
 * WebSockets on Deno.
 * @module
 */
import { conformanceWebSockets } from "../../suites/websockets.ts";

conformanceWebSockets("deno");
