/**
 * Forwarding and WebSockets on Node once more, all of it through an HTTP proxy (CONNECT).
 * @module
 */
import { conformanceForwarding } from "../suites/forwarding.ts";
import { conformanceWebSockets } from "../suites/websockets.ts";
import { routeAll } from "../../support/through.ts";

const through = routeAll({ kind: "http", login: "user:p%40ss" });

conformanceForwarding("node", through);
conformanceWebSockets("node", through);
