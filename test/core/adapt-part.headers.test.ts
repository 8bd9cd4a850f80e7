/** What a part of others may write into a response. @module */
import { expect, it } from "vitest";
import { Fields } from "../../src/core/http/fields.ts";
import { OwnHeaders } from "../../src/core/adapt-part.ts";
import { words } from "../support/rows.ts";

const made = () =>
  new Fields([["server", "x"], ["content-length", "5"], ["access-control-allow-origin", "*"]]);

it("reads and writes by any letters, and sends a name as it was written", () => {
  const headers = new OwnHeaders(made());
  expect([headers.get("Server"), headers.has("SERVER"), [...headers].length]).toEqual(["x", true, 3]);
  headers.set("Server", "y");
  headers.append("X-One", "1");
  headers.delete("Access-Control-Allow-Origin");
  const lines: unknown[] = [];
  headers.forEach((value, name, written) => lines.push([name, value, written]));
  expect(lines)
    .toEqual([["server", "y", "Server"], ["content-length", "5", "content-length"], ["x-one", "1", "X-One"]]);
});

it.each(words`Content-Length content-encoding Transfer-Encoding trailer Connection Keep-Alive proxy-status
  Access-Control-Allow-Origin access-control-allow-credentials x:y`)("sets no %s", (name) => {
  const fields = made();
  expect(() => new OwnHeaders(fields).set(name, "1")).toThrow(`a part can't set "${name}"`);
  expect(() => new OwnHeaders(fields).append(name, "1")).toThrow("a part can't set");
  expect([...fields]).toEqual([...made()]);
});

it("sets no name whose letters only look like ASCII in lower case", () =>
  expect(() => new OwnHeaders(made()).set("x-\u212a", "1")).toThrow("a part can't set"));

it.each(["a\r\nb: c", "a\0", "é€"])("writes no value such as %j", (value) => {
  expect(() => new OwnHeaders(made()).set("x-a", value)).toThrow("its value is malformed");
});

it.each(words`Content-Length content-encoding trailer`)("drops no %s", (name) => {
  expect(() => new OwnHeaders(made()).delete(name)).toThrow(`a part can't drop ${name}`);
});
