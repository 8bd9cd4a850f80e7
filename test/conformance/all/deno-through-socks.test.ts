/**
 * Forwarding and WebSockets on Deno once more, all of it through a SOCKS 5 proxy.
 * @module
 */
import { conformanceForwarding } from "../suites/forwarding.ts";
import { conformanceWebSockets } from "../suites/websockets.ts";
import { routeAll } from "../../support/through.ts";

const through = routeAll({ kind: "socks5", login: "user:p%40ss" });

conformanceForwarding("deno", through);
conformanceWebSockets("deno", through);
