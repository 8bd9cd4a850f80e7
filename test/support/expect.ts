/**
 * What several topics expect in the same words.
 * @module
 */
import { expect } from "vitest";
import type { Answer, Ending } from "./client.ts";
import { type Fields, type Header, pairsOf } from "./http.ts";
import type { Upstream } from "./upstream.ts";

/** What an error object is expected to say. */
export interface ExpectedError {
  status: number;
  /** `Proxy Error` unless given. */
  title?: "Proxy Error" | "Fetch API Error";
  /** The RFC 9209 error type, where there is one choice. */
  error?: string;
  /** What the detail must name. */
  names?: RegExp | string;
  /** True where a caller's token stood in the header of a key (rule 21.1). */
  forSdk?: boolean;
}

// Stacks, files, OS and runtime messages, and resolved addresses where the caller had written a name.
const LEAKS =
  /\n|\bat .+:\d+|node:|file:\/\/\/|\.[jt]s\b|\bE[A-Z]{4,}\b|errno|syscall|os error|getaddrinfo|::1|TypeError/;

/** Checks an answer of the proxy's own: the two fields, the content type, `Proxy-Status`, and that nothing leaks. */
export function expectError(answer: Answer, expected: ExpectedError): void {
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: expected.status });
  expect(answer.ended).toBe("end");
  expect(answer.header("content-type")).toMatch(/^application\/json\b/);
  expect(answer.header("proxy-status"))
    .toMatch(/^fetchvia; error=[a-z_]+; details="(?:[ !#-[\]-~]|\\["\\])+"$/);
  expect(answer.header("proxy-status")).toContain(expected.error ?? "fetchvia; error=");
  const body = answer.json() as { detail: string };
  const error = { message: body.detail, type: expect.any(String), code: expect.any(String) };
  expect(body).toEqual({
    title: expected.title ?? "Proxy Error",
    detail: expect.any(String),
    ...(expected.forSdk && { error }),
  });
  expect(body.detail).toMatch(expected.names ?? /\w/);
  expect(body.detail).not.toMatch(LEAKS);
}

/** Puts the upstream's address into a text: `{origin}`, `{host}`, `{port}`, and `{label}` for its host label. */
export function fill(text: string, upstream: Upstream): string {
  return text.replaceAll("{origin}", upstream.origin).replaceAll("{host}", upstream.host)
    .replaceAll("{port}", String(upstream.port))
    .replaceAll("{label}", `127-0-0-1-${upstream.port}`);
}

/** The same in the values of fields. */
export function fillFields(fields: Fields, upstream: Upstream): Header[] {
  return pairsOf(fields).map(([name, value]) => [name, fill(value, upstream)]);
}

/** Status and ending in one word: the status of a whole answer, else how it failed. */
export function outcomeOf(answer: Answer): number | Ending {
  return answer.ended === "end" ? answer.status : answer.ended;
}

/** A cookie as `Set-Cookie` writes it, its attributes sorted so that their order does not matter. */
export interface SetCookie {
  name: string;
  value: string;
  attributes: string[];
}

/** The cookies that an answer sets. */
export function setCookiesOf(answer: Answer): SetCookie[] {
  return answer.headersNamed("set-cookie").map((line) => {
    const [pair = "", ...attributes] = line.split("; ");
    const equals = pair.indexOf("=");
    return { name: pair.slice(0, equals), value: pair.slice(equals + 1), attributes: attributes.sort() };
  });
}

/** True for a cookie that the browser throws away at once. */
export function isExpired({ attributes }: SetCookie): boolean {
  return attributes.some((attribute) => /^max-age=0$|^expires=.*1970/i.test(attribute));
}
