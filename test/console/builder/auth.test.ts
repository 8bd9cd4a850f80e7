/** Credentials as a header row, and back. @module */
import { describe, expect, it } from "vitest";
import { type Auth, readAuth, writeAuth } from "../../../src/console/builder/auth-view.ts";

describe("writeAuth and readAuth", () => {
  it.each<{ auth: Auth; row: [string, string] }>([
    { auth: { kind: "basic", user: "me", password: "a:b" }, row: ["authorization", "Basic bWU6YTpi"] },
    { auth: { kind: "basic", user: "Zoë", password: "" }, row: ["authorization", "Basic Wm/Dqzo="] },
    { auth: { kind: "bearer", token: "t.1" }, row: ["authorization", "Bearer t.1"] },
    { auth: { kind: "key", name: "x-api-key", value: "k" }, row: ["x-api-key", "k"] },
  ])("$auth is $row", ({ auth, row }) => {
    expect(writeAuth(auth)).toEqual(row);
    expect(readAuth([["accept", "*/*"], row])).toEqual(auth);
  });

  it.each<{ headers: [string, string][] }>([
    { headers: [] },
    { headers: [["authorization", "Digest x"]] },
    { headers: [["authorization", "Basic §"]] },
    { headers: [["authorization", "Basic bWU="]] },
  ])("is none: $headers", ({ headers }) => expect(readAuth(headers)).toEqual({ kind: "none" }));
});
