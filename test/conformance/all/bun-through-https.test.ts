/**
 * Forwarding and WebSockets on Bun once more, all of it through an HTTP proxy that is asked over TLS (CONNECT).
 * @module
 */
import { conformanceAgain } from "../suites/again.ts";
import { routeAllSecurely } from "../../support/through.ts";

const through = routeAllSecurely("user:p%40ss");

conformanceAgain("bun", through);
