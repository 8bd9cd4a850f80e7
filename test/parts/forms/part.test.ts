/** The forms as a part: only those that the settings ask for are read. @module */
import { expect, it } from "vitest";
import { readOptions } from "../../../src/core/settings/config.ts";
import { makeForms } from "../../../src/parts/forms/part.ts";

it("reads the forms of the settings, and no others", async () => {
  const part = makeForms(readOptions({ addressForms: ["git"] }));
  expect(part.rules?.()).toBeUndefined();
  await part.prepare?.();
  const read = part.rules?.()?.read;
  expect(read?.("/a.test/r/git-upload-pack")).toMatchObject({ form: { name: "git" } });
  expect(read?.("/https://a.test/")).toBeUndefined();
});
