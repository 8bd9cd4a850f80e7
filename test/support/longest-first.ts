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
  /shipped\/without-parts|apps\/expressions|console-e2e\/(looks|requests|traffic)/,
  /console-e2e\/page|browser\/node|conformance\/all\/worker\.test/,
  /attacks\/node|apps\/run|shipped\/(release|typescript)/,
  /attacks\/|conformance\/all\/|conformance\/table|console-e2e\//,
  /apps\/|browser\/|shipped\/(git|embedding|start)|stores\//,
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
