/**
 * What carries bytes on workerd, over real sockets.
 * @module
 */
import { conformanceForwarding } from "../suites/forwarding.ts";
import { conformanceProcess } from "../suites/process.ts";
import { conformanceWebSockets } from "../suites/websockets.ts";

conformanceForwarding("worker");
conformanceProcess("worker");
conformanceWebSockets("worker");
