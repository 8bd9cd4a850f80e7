/**
 * What decides, on Bun over sockets: access in a network namespace, where every dialled address is heard, and a walk through
 * selectors, fields and the gate.
 * @module
 */
import { conformanceAccess } from "../suites/access.ts";
import { conformance } from "../suites/core.ts";
import { conformanceFields } from "../suites/fields.ts";
import { conformanceGate } from "../suites/gate.ts";

conformanceAccess("bun");
conformance("bun");
conformanceFields("bun");
conformanceGate("bun");
