/** Answers to requests that a key went out with. @module */
import { expect, it, vi } from "vitest";
import { redactResponse } from "../../../src/parts/gate/redact.ts";
import { Fields, KeptFields } from "../../../src/core/http/fields.ts";

it("notes that a key went out, and keeps the rest of the answer", () => {
  const answer = { status: 200, statusText: "OK", headers: new Fields(), body: null, isWhole: true };
  const redacted = redactResponse(answer, new Map([["K", "s3cret"]]));
  expect(redacted).toEqual({ ...answer, hadKey: true, socket: undefined });
});

it("searches fields that come again once for the same keys, and anew for others", () => {
  const headers = new KeptFields(new Fields([["x-a", "the s3cret of one"]]));
  const search = (keys: ReadonlyMap<string, string>) =>
    redactResponse({ status: 200, statusText: "OK", headers, body: null }, keys).headers;
  const [none, held] = [new Map([["N", "an0ther"]]), new Map([["K", "s3cret"]])];
  for (const keys of [none, held, none, none, held, held]) {
    expect([...search(keys)]).toEqual([["x-a", keys === held ? "the {{K}} of one" : "the s3cret of one"]]);
  }
  const visits = vi.spyOn(headers, "forEach");
  search(none);
  search(none);
  expect(visits.mock.calls.length).toBe(0);
  search(held);
  expect(visits.mock.calls.length).toBe(2);
});
