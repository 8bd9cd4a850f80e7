/**
 * What carries bytes on Deno: our own server and client, files, signals and processes, over real sockets.
 * @module
 */
import { conformanceForwarding } from "../suites/forwarding.ts";
import { conformanceProcess } from "../suites/process.ts";
import { conformanceUpstream } from "../suites/upstream.ts";
import { conformanceWebSockets } from "../suites/websockets.ts";

conformanceForwarding("deno");
conformanceProcess("deno");
conformanceUpstream("deno");
conformanceWebSockets("deno");
