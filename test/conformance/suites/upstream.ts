/**
 * The black-box suite of targets behind another proxy.
 * @module
 */
import { describe } from "vitest";
import { describeUpstream } from "../upstream.ts";
import type { RuntimeName } from "../../support/proxy.ts";

/** Declares the suite for one runtime. */
export function conformanceUpstream(runtime: RuntimeName): void {
  describe(`upstream on ${runtime}`, () => describeUpstream(runtime));
}
