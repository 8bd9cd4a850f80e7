/**
 * All suites of conformance on Deno.
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

conformance("deno");
conformanceAccess("deno");
conformanceCallers("deno");
conformanceCapture("deno");
conformanceExplain("deno");
conformanceFields("deno");
conformanceForwarding("deno");
conformanceGate("deno");
conformanceUpstream("deno");
conformanceWebSockets("deno");
