/**
 * The black-box suite of what belongs to whom.
 * @module
 */
import { describe } from "vitest";
import { describeOwnBytes } from "../own-bytes.ts";
import type { RuntimeName } from "../../support/proxy.ts";

/** Declares the suite for one runtime. */
export function conformanceOwnBytes(runtime: RuntimeName): void {
  describe(`bytes on ${runtime}`, () => describeOwnBytes(runtime));
}
