/**
 * Header fields on their way through the proxy, without what a `Headers` checks and sorts again at every step.
 * @module
 */

/** What is read of header fields; a `Headers` is one too. Names are lower-case. */
export interface FieldReader extends Iterable<[name: string, value: string]> {
  get(name: string): string | null;
  has(name: string): boolean;
}

/** What is changed of them; a `Headers` is one too. */
export interface FieldWriter extends FieldReader {
  set(name: string, value: string): void;
  append(name: string, value: string): void;
  delete(name: string): void;
}

/** Fields by lower-case name, in the order in which they came. Several `set-cookie` stay several (RFC 9110 §5.3). */
export class Fields implements FieldWriter {
  readonly #values = new Map<string, string>();
  #cookies: string[] | undefined;

  constructor(fields: Iterable<readonly [name: string, value: string]> = []) {
    for (const [name, value] of fields) this.append(name, value);
  }

  get(name: string): string | null {
    if (name === "set-cookie") return this.#cookies?.join(", ") ?? null;
    return this.#values.get(name) ?? null;
  }

  has(name: string): boolean {
    return name === "set-cookie" ? this.#cookies !== undefined : this.#values.has(name);
  }

  set(name: string, value: string): void {
    if (name === "set-cookie") this.#cookies = [value];
    else this.#values.set(name, value);
  }

  append(name: string, value: string): void {
    if (name === "set-cookie") {
      (this.#cookies ??= []).push(value);
      return;
    }
    const before = this.#values.get(name);
    this.#values.set(name, before === undefined ? value : `${before}, ${value}`);
  }

  delete(name: string): void {
    if (name === "set-cookie") this.#cookies = undefined;
    else this.#values.delete(name);
  }

  /** Every field; each `set-cookie` by itself. */
  [Symbol.iterator](): Iterator<[name: string, value: string]> {
    return this.#cookies ? this.#withCookies(this.#cookies) : this.#values[Symbol.iterator]();
  }

  *#withCookies(cookies: readonly string[]): Generator<[name: string, value: string]> {
    yield* this.#values;
    for (const cookie of cookies) yield ["set-cookie", cookie];
  }
}
