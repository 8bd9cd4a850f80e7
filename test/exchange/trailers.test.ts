/**
 * What is passed on of trailers, and to whom.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { Answer, Exchange } from "../../src/exchange/exchange.ts";
import type { Incoming } from "../../src/exchange/runtime.ts";
import { passAnswerTrailers, passTrailerField } from "../../src/exchange/trailers.ts";
import { Fields, linesOf } from "../../src/http/fields.ts";
import { FlowBody } from "../../src/http/flow.ts";

describe("passTrailerField", () => {
  const CHUNKED = [["transfer-encoding", "chunked"]] as const;
  const pass = (name: string, incoming: Partial<Incoming>) => {
    const headers = new Fields();
    passTrailerField(
      headers,
      [name.toLowerCase(), "x", name],
      { headers: new Fields(), ...incoming } as Incoming,
    );
    return linesOf(headers);
  };

  it.each([
    {
      about: "a caller that takes them",
      name: "TE",
      incoming: { takesTrailers: true },
      is: [["TE", "trailers"], ["Connection", "TE"]],
    },
    { about: "another caller", name: "TE", incoming: { takesTrailers: false }, is: [] },
    { about: "a server that sends none", name: "TE", incoming: {}, is: [] },
    {
      about: "chunks",
      name: "Trailer",
      incoming: { takesTrailers: false, headers: new Fields(CHUNKED) },
      is: [["Trailer", "x"]],
    },
    { about: "a body with a length", name: "Trailer", incoming: { takesTrailers: false }, is: [] },
    {
      about: "a handshake",
      name: "TE",
      incoming: { takesTrailers: true, headers: new Fields([["upgrade", "websocket"]]) },
      is: [],
    },
  ])("passes what $about says: $is", ({ name, incoming, is }) => expect(pass(name, incoming)).toEqual(is));
});

describe("passAnswerTrailers", () => {
  it.each([
    { about: "a caller that takes them", exchange: { incoming: { takesTrailers: true } }, is: ["x-a"] },
    { about: "another caller", exchange: { incoming: {} }, is: undefined },
    {
      about: "a form of another proxy",
      exchange: { incoming: { takesTrailers: true }, form: "git" },
      is: undefined,
    },
  ])("lets them go on to $about: $is", ({ exchange, is }) => {
    const body = new FlowBody({ resume() {}, pause() {}, cancel() {} });
    passAnswerTrailers(
      { body } as unknown as Answer,
      exchange as unknown as Exchange,
      new URL("http://a.test"),
    );
    const passed = body.passTrailers?.(new Fields([["x-a", "1"], ["set-cookie", "a=1"]]));
    expect(passed && [...passed].map(([name]) => name)).toEqual(is);
  });
});
