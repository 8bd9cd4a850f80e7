/**
 * What decides, on workerd over sockets: the platform hides some of it, as `docs/conformance.md` says. What every selector
 * does alike is there by one.
 * @module
 */
import { conformanceAccess } from "../suites/access.ts";
import { conformanceCallers } from "../suites/callers.ts";
import { conformanceCapture } from "../suites/capture.ts";
import { conformance } from "../suites/core.ts";
import { conformanceFields } from "../suites/fields.ts";
import { conformanceGate } from "../suites/gate.ts";

conformance("worker");
conformanceAccess("worker");
conformanceCallers("worker");
conformanceCapture("worker");
conformanceFields("worker");
conformanceGate("worker");
