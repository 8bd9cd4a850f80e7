/**
 * All suites of conformance on Node.
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
import { conformanceUpstream } from "../suites/upstream.ts";
import { conformanceWebSockets } from "../suites/websockets.ts";

conformance("node");
conformanceAccess("node");
conformanceCallers("node");
conformanceCapture("node");
conformanceExplain("node");
conformanceFields("node");
conformanceForwarding("node");
conformanceGate("node");
conformanceUpstream("node");
conformanceWebSockets("node");
