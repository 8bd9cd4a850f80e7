/**
 * Forwarding and WebSockets on Bun once more, all of it through an HTTP proxy that is asked over TLS (CONNECT).
 * @module
 */
import { conformanceForwarding } from "../suites/forwarding.ts";
import { conformanceWebSockets } from "../suites/websockets.ts";
import { routeAllSecurely } from "../../support/through.ts";

const through = routeAllSecurely("user:p%40ss");

conformanceForwarding("bun", through);
conformanceWebSockets("bun", through);
