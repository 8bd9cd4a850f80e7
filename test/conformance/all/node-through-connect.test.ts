/**
 * Forwarding and WebSockets on Node once more, all of it through an HTTP proxy (CONNECT).
 * @module
 */
import { conformanceAgain } from "../suites/again.ts";
import { routeAll } from "../../support/through.ts";

const through = routeAll({ kind: "http", login: "user:p%40ss" });

conformanceAgain("node", through);
