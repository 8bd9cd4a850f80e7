/**
 * What a page may read of an answer, in the words of CORS.
 * @module
 */
import { expect } from "vitest";
import type { Answer } from "./client.ts";

/** Fields that a server adds after the proxy has answered, and cookies, which no page ever reads. */
const UNEXPOSED =
  /^(?:access-control-.*|set-cookie|date|connection|keep-alive|transfer-encoding|content-length)$/;

/** All fields of an answer that speak of CORS, name → values. */
export function corsFieldsOf(answer: Answer): Record<string, string[]> {
  const names = answer.headers.map(([name]) => name.toLowerCase()).filter((name) =>
    name.startsWith("access-control-")
  );
  return Object.fromEntries(names.map((name) => [name, answer.headersNamed(name)]));
}

/** The names that `Vary` lists, lower-case. */
export function varyOf(answer: Answer): string[] {
  return (answer.header("vary") ?? "").toLowerCase().split(",").map((name) => name.trim()).filter(Boolean);
}

/** A page of this origin reads everything, with credentials. */
export function expectListed(answer: Answer, origin: string): void {
  const { "access-control-expose-headers": exposed = [], ...fields } = corsFieldsOf(answer);
  expect(fields)
    .toMatchObject({ "access-control-allow-origin": [origin], "access-control-allow-credentials": ["true"] });
  expect(exposed).toHaveLength(1);
  const names = exposed[0]?.split(", ") ?? [];
  const all = answer.headers.map(([name]) => name.toLowerCase()).filter((name) => !UNEXPOSED.test(name));
  expect(names).toEqual(expect.arrayContaining(all));
  expect(names).not.toContain("*");
  expect(varyOf(answer)).toContain("origin");
}

/** Every page reads everything, without credentials. */
export function expectAny(answer: Answer): void {
  expect(corsFieldsOf(answer))
    .toMatchObject({ "access-control-allow-origin": ["*"], "access-control-expose-headers": ["*"] });
  expect(answer.header("access-control-allow-credentials")).toBeUndefined();
}

/** No page reads anything by the proxy's leave. */
export function expectNothing(answer: Answer): void {
  expect(corsFieldsOf(answer)).toEqual({});
}
