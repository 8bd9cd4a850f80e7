/**
 * All suites of conformance on Workers.
 * @module
 */
import { conformanceAccess } from "../suites/access.ts";
import { conformanceCallers } from "../suites/callers.ts";
import { conformanceCapture } from "../suites/capture.ts";
import { conformance } from "../suites/core.ts";
import { conformanceExplain } from "../suites/explain.ts";
import { conformanceFields } from "../suites/fields.ts";
import { conformanceForwarding } from "../suites/forwarding.ts";
import { conformanceGate } from "../suites/gate.ts";
import { conformanceWebSockets } from "../suites/websockets.ts";

conformance("worker");
conformanceAccess("worker");
conformanceCallers("worker");
conformanceCapture("worker");
conformanceExplain("worker");
conformanceFields("worker");
conformanceForwarding("worker");
conformanceGate("worker");
conformanceWebSockets("worker");
