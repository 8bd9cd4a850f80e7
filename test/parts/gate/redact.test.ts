import { expect, it } from "vitest";
import { redactHead } from "../../../src/parts/gate/redact.ts";
import { Fields } from "../../../src/core/http/fields.ts";

/** The redacted fields, of an answer with keys sent. */
function redact(fields: [string, string][], keys: Record<string, string>) {
  return [
    ...redactHead({ headers: new Fields(fields), statusText: "OK" }, new Map(Object.entries(keys))).headers,
  ];
}

it("writes the names of keys in place of them, plain and percent-encoded", () => {
  const fields: [string, string][] = [
    ["location", "/x?a=k%2F1&b=k/1"],
    ["set-cookie", "a=1"],
    ["x-b", "k/1k%2f1"],
  ];
  expect(redact(fields, { K: "k/1", EMPTY: "" }))
    .toEqual([["location", "/x?a={{K}}&b={{K}}"], ["set-cookie", "a=1"], ["x-b", "{{K}}{{K}}"]]);
});

it("leaves nothing of a key that begins with another one", () =>
  expect(redact([["x", "sk-1 sk-12345"]], { SHORT: "sk-1", LONG: "sk-12345" }))
    .toEqual([["x", "{{SHORT}} {{LONG}}"]]));

it("drops a field whose name holds a key", () =>
  expect(redact([["x-sk-1234", "1"], ["y", "1"]], { K: "sk-1234" })).toEqual([["y", "1"]]));

it("leaves what frames the message", () => {
  const fields: [string, string][] = [["content-length", "12"], ["content-encoding", "gzip"], ["x", "12"]];
  expect(redact(fields, { K: "12" })).toEqual([...fields.slice(0, 2), ["x", "{{K}}"]]);
});

it.each([
  ["content-encoding", "s3cret"],
  ["content-encoding", "gzip, s3cret"],
  ["content-range", "bytes 0-1/s3cret"],
  ["sec-websocket-extensions", "permessage-deflate; s3cret"],
])("cleans %s: %s, which frames nothing", (name, value) => {
  expect(redact([[name, value]], { K: "s3cret" })).toEqual([[name, value.replace("s3cret", "{{K}}")]]);
});

it.each([
  ["content-encoding", "gzip, br"],
  ["content-range", "bytes 12-34/*"],
  ["sec-websocket-extensions", "permessage-deflate; client_max_window_bits=12"],
])("leaves %s: %s, though a key stands in it", (name, value) => {
  expect(redact([[name, value]], { K: "12", L: "br" })).toEqual([[name, value]]);
});

it("cleans the reason phrase", () => {
  const answer = { headers: new Fields(), statusText: "Bad key s3cret$&" };
  expect(redactHead(answer, new Map([["K", "s3cret$&"]])).statusText).toBe("Bad key {{K}}");
});

it("keeps the fields of an answer without a key as they are", () => {
  const headers = new Fields([["etag", '"0123456789"'], ["x", "1"]]);
  expect(redactHead({ headers, statusText: "OK" }, new Map([["K", "s3cret"]])).headers).toBe(headers);
});
