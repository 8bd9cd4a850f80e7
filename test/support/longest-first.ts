/**
 * The order of the test files: those that take longest begin first, so that no core waits for the last of them.
 * @module
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** In this order; the rest follow as vitest has them. */
const LONGEST: readonly RegExp[] = [
  /conformance\/on\/(bun|deno|node)\/process/,
  /conformance\/on\/(bun|deno|node)\/life/,
  /conformance\/on\/\w+\/forwarding|shipped\/run\./,
  /shipped\/(without-parts|embedding)|apps\/expressions|console-e2e\/(looks|requests|traffic)|all\/worker\.test/,
  /apps\/run|browser\/node|stores\/|shipped\/(release|typescript|git)|console-e2e\/(page|tool)|attacks\/node-pages/,
  /attacks\/|conformance\/all\/|conformance\/table|console-e2e\//,
  /apps\/|browser\/|shipped\/start/,
];

/** Sorts the files of all projects. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((name) => name.test(moduleId));
      return place < 0 ? LONGEST.length : place;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
