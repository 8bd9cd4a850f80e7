/**
 * The suite of WebSockets on Deno.
 * @module
 */
import { conformanceWebSockets } from "../conformance-websockets.ts";

conformanceWebSockets("deno");
