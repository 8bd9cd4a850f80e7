/**
 * The headers of a response as a part of others may change them.
 * @module
 */

import type { FieldWriter } from "./http/fields.ts";
import { isFieldValue, isHopByHop, isToken } from "./http/headers.ts";

/** Headers that frame the response, and those by which a browser lets pages of other sites read it. */
const FIXED = /^(?:content-length|content-encoding|trailer|access-control-.*)$/;

/** Checks what is written. Names are the same in any letters. */
export class OwnHeaders implements FieldWriter {
  readonly #headers: FieldWriter;

  constructor(headers: FieldWriter) {
    this.#headers = headers;
  }

  get(name: string): string | null {
    return this.#headers.get(name.toLowerCase());
  }

  has(name: string): boolean {
    return this.#headers.has(name.toLowerCase());
  }

  forEach(visit: (value: string, name: string, written: unknown) => void): void {
    this.#headers.forEach(visit);
  }

  [Symbol.iterator](): Iterator<[name: string, value: string]> {
    return this.#headers[Symbol.iterator]();
  }

  set(name: string, value: string): void {
    this.#headers.set(checkName(name), checkValue(name, value), name);
  }

  append(name: string, value: string): void {
    this.#headers.append(checkName(name), checkValue(name, value), name);
  }

  delete(name: string): void {
    if (!FIXED.test(name.toLowerCase()) || /^access/i.test(name)) this.#headers.delete(name.toLowerCase());
    else throw new TypeError(`a part can't drop ${name}`);
  }
}

function checkName(name: string): string {
  const lower = String(name).toLowerCase();
  if (isToken(name) && !isHopByHop(lower) && !FIXED.test(lower)) return lower;
  throw new TypeError(`a part can't set ${JSON.stringify(name)}`);
}

function checkValue(name: string, value: unknown): string {
  const text = String(value);
  if (isFieldValue(text)) return text;
  throw new TypeError(`a part can't set ${name}: its value is malformed`);
}
