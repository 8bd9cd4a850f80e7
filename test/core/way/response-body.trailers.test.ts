/** What is passed on of trailers, and to whom. @module */
import { describe, expect, it } from "vitest";
import { NO_HOOKS } from "../../../src/core/exchange/hooks.ts";
import type { Exchange, TargetResponse } from "../../../src/core/exchange/exchange.ts";
import type { Incoming } from "../../../src/core/runtime.ts";
import { FORMS } from "../../../src/parts/forms/form-fields.ts";
import { passResponseTrailers } from "../../../src/core/way/response-body.ts";
import { askForTrailers } from "../../../src/core/way/request-body.ts";
import { Fields, linesOf } from "../../../src/core/http/fields.ts";
import { FlowBody } from "../../../src/core/http/flow.ts";
import { rowsOf } from "../../support/rows.ts";

describe("askForTrailers", () => {
  const ask = (incoming: Partial<Incoming>) => {
    const headers = new Fields();
    askForTrailers(headers, { headers: new Fields(), ...incoming } as Incoming, "TE");
    return linesOf(headers);
  };

  it.each(rowsOf(["about", "incoming", "is"], [
    ["takes them", { takesTrailers: true }, [["TE", "trailers"], ["Connection", "TE"]]],
    ["takes none", { takesTrailers: false }, []],
    ["has a server that sends none", {}, []],
    ["opens a WebSocket", { takesTrailers: true, headers: new Fields([["upgrade", "websocket"]]) }, []],
  ]))("asks for a caller who $about: $is", ({ incoming, is }) => expect(ask(incoming)).toEqual(is));
});

it.each(rowsOf(["about", "exchange", "is"], [
  ["a caller that takes them", { incoming: { takesTrailers: true } }, ["x-a"]],
  ["another caller", { incoming: {} }, undefined],
  ["a form of another proxy", { incoming: { takesTrailers: true }, form: FORMS.git }, undefined],
]))("passAnswerTrailers lets them go on to $about: $is", ({ exchange, is }) => {
  const body = new FlowBody({ resume() {}, pause() {}, cancel() {} });
  passResponseTrailers(
    { body } as unknown as TargetResponse,
    { ...exchange, parts: NO_HOOKS } as unknown as Exchange,
    new URL("http://a.test"),
  );
  const passed = body.passTrailers?.(new Fields([["x-a", "1"], ["set-cookie", "a=1"]]));
  expect(passed && [...passed].map(([name]) => name)).toEqual(is);
});
