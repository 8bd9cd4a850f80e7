/** A fault that a second try hides stays in the code: no configuration of the tests tries one again. */
import { expect, it } from "vitest";
import all from "../../vitest.all.config.ts";
import some from "../../vitest.config.ts";

it.each([{ name: "npm test", config: some }, { name: "npm run test:all", config: all }])(
  "$name tries no test again",
  ({ config }) => expect(JSON.stringify(config)).not.toMatch(/"retry"/),
);
