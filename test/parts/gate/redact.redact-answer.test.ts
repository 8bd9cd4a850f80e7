/** Answers to requests that a key went out with. @module */
import { expect, it } from "vitest";
import { redactAnswer } from "../../../src/parts/gate/redact.ts";
import { Fields } from "../../../src/core/http/fields.ts";

it("notes that a key went out, and keeps the rest of the answer", () => {
  const answer = { status: 200, statusText: "OK", headers: new Fields(), body: null, isWhole: true };
  const redacted = redactAnswer(answer, new Map([["K", "s3cret"]]));
  expect(redacted).toEqual({ ...answer, hadKey: true, socket: undefined });
});
