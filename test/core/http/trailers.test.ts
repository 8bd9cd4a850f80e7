/**
 * Which fields behind a body go on (RFC 9110 §6.5.1): none that frames, routes, authenticates, or is read in front.
 */
import { expect, it } from "vitest";
import { Fields, linesOf } from "../../../src/core/http/fields.ts";
import { FlowBody } from "../../../src/core/http/flow.ts";
import {
  chooseRequestTrailers,
  chooseResponseTrailers,
  passedNames,
} from "../../../src/core/http/trailers.ts";

const PASSED = ["X-Checksum", "Content-Digest", "ETag", "Server-Timing", "grpc-status", "Repr-Digest", "x_a"];
const NEVER =
  ("Content-Length Transfer-Encoding Trailer TE Connection Keep-Alive Upgrade Expect Host Content-Type Content-Encoding " +
    "Content-Range Cache-Control Date Vary Range If-None-Match Age Expires Pragma Via CDN-Loop Proxy-Authorization Proxy-Status " +
    "Access-Control-Allow-Origin Content-Security-Policy X-Frame-Options Sec-Fetch-Site Content_Length X-HTTP-Method-Override " +
    "Content_Type Transfer_Encoding").split(" ");
const NEVER_ASKED =
  "Authorization Cookie Cookie2 Origin Referer Forwarded X-Forwarded-For X-Real-IP CF-Connecting-IP proxy_host proxy_token X_Forwarded_For"
    .split(" ");
const NEVER_ANSWERED =
  "Set-Cookie WWW-Authenticate Location Refresh Link Strict-Transport-Security Alt-Svc X-Final-URL X-Fetchvia-Head"
    .split(" ");

const named = (names: readonly string[]): Fields => {
  const fields = new Fields();
  for (const name of names) fields.append(name.toLowerCase(), "1", name);
  return fields;
};
const namesOf = (fields: Fields) => linesOf(fields).map(([name]) => name);

it.each([
  { about: "a request", choose: chooseRequestTrailers, left: [...NEVER, ...NEVER_ASKED] },
  { about: "a response", choose: chooseResponseTrailers, left: [...NEVER, ...NEVER_ANSWERED] },
])("of $about, in their letters", ({ choose, left }) => {
  expect(namesOf(choose(named([...left, ...PASSED])))).toEqual(PASSED);
});

it.each([
  { list: "X-Sum", names: "X-Sum" },
  { list: " x-a ,\tX-B, x-A", names: "x-a, X-B, x-A" },
  { list: "Host, X-Sum, Cookie, Content-Length", names: "X-Sum" },
  { list: "Authorization", names: undefined },
  { list: "", names: undefined },
  { list: "x y, ,x\u00e9, a:b", names: undefined },
  { list: "__proto__, constructor", names: "__proto__, constructor" },
])("announces of $list $names", ({ list, names }) => {
  const body = new FlowBody({ resume() {}, pause() {}, cancel() {} });
  expect(passedNames(list, body)).toBeUndefined();
  body.passTrailers = chooseRequestTrailers;
  expect(passedNames(list, body)).toBe(names);
});
