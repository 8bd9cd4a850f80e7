/**
 * The suite of WebSockets on Bun.
 * @module
 */
import { conformanceWebSockets } from "../conformance-websockets.ts";

conformanceWebSockets("bun");
