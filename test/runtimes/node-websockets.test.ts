/**
 * The suite of WebSockets on Node.
 * @module
 */
import { conformanceWebSockets } from "../conformance-websockets.ts";

conformanceWebSockets("node");
