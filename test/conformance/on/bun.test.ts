/**
 * All suites of conformance on Bun.
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

conformance("bun");
conformanceAccess("bun");
conformanceCallers("bun");
conformanceCapture("bun");
conformanceExplain("bun");
conformanceFields("bun");
conformanceForwarding("bun");
conformanceGate("bun");
conformanceUpstream("bun");
conformanceWebSockets("bun");
