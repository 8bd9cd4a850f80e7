/**
 * The suite of WebSockets on Workers.
 * @module
 */
import { conformanceWebSockets } from "../conformance-websockets.ts";

conformanceWebSockets("worker");
