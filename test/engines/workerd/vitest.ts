/**
 * What pure tests need of vitest, inside workerd: its own runner and its own `expect`, without the processes around them.
 * @module
 */
import * as matchers from "@vitest/expect";

export { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@vitest/runner";

const { chai } = matchers;
for (const plugin of [matchers.JestExtend, matchers.JestChaiExpect, matchers.JestAsymmetricMatchers]) {
  chai.use(plugin);
}

/** The part of chai's `expect` that takes more matchers. */
interface Extensible {
  extend(expect: object, more: object): void;
}

/** As that of vitest. */
export const expect: typeof chai.expect = Object.assign(
  (value: unknown, message?: string) => chai.expect(value, message),
  chai.expect,
  (globalThis as unknown as Record<symbol, object>)[matchers.ASYMMETRIC_MATCHERS_OBJECT],
);
(chai.expect as unknown as Extensible).extend(expect, matchers.customMatchers);
