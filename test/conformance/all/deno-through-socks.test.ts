/**
 * Forwarding and WebSockets on Deno once more, all of it through a SOCKS 5 proxy.
 * @module
 */
import { conformanceAgain } from "../suites/again.ts";
import { routeAll } from "../../support/through.ts";

const through = routeAll({ kind: "socks5", login: "user:p%40ss" });

conformanceAgain("deno", through);
