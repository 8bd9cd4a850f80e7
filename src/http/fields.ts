/**
 * Header fields without the checks and sorting that `Headers` repeats at every step.
 * @module
 */

/** Read access to header fields; a `Headers` fits too. Names are lower-case. */
export interface FieldReader extends Iterable<[name: string, value: string]> {
  /** The value, with several lines joined by `, `; `null` if the field is absent. */
  get(name: string): string | null;
  /** True if the field is present. */
  has(name: string): boolean;
  /** Visits each field, value first, as `Headers` does. */
  forEach(visit: (value: string, name: string) => void): void;
}

/** Write access to header fields; a `Headers` fits too. */
export interface FieldWriter extends FieldReader {
  set(name: string, value: string): void;
  append(name: string, value: string): void;
  delete(name: string): void;
}

/**
 * Fields by lower-case name, line by line in the order received. Separate lines of one name stay separate (RFC 9110
 * §5.3).
 */
export class Fields implements FieldWriter {
  /** Alternating names and values, as `node:http` accepts them. */
  readonly lines: string[];

  constructor(fields?: Iterable<readonly [name: string, value: string]>) {
    this.lines = fields instanceof Fields ? fields.lines.slice() : [];
    if (!fields || fields instanceof Fields) return;
    for (const [name, value] of fields) this.lines.push(name, value);
  }

  /** The value; several lines are joined by commas. */
  get(name: string): string | null {
    const { lines } = this;
    let found: string | null = null;
    for (let at = 0; at < lines.length; at += 2) {
      if (lines[at] === name) found = found === null ? lines[at + 1] as string : `${found}, ${lines[at + 1]}`;
    }
    return found;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  set(name: string, value: string): void {
    this.delete(name);
    this.lines.push(name, value);
  }

  /** Adds a separate line. */
  append(name: string, value: string): void {
    this.lines.push(name, value);
  }

  delete(name: string): void {
    const { lines } = this;
    let kept = 0;
    for (let at = 0; at < lines.length; at += 2) {
      if (lines[at] === name) continue;
      lines[kept] = lines[at] as string;
      lines[kept + 1] = lines[at + 1] as string;
      kept += 2;
    }
    lines.length = kept;
  }

  forEach(visit: (value: string, name: string) => void): void {
    const { lines } = this;
    for (let at = 0; at < lines.length; at += 2) visit(lines[at + 1] as string, lines[at] as string);
  }

  [Symbol.iterator](): Iterator<[name: string, value: string]> {
    const pairs: [name: string, value: string][] = [];
    this.forEach((value, name) => pairs.push([name, value]));
    return pairs[Symbol.iterator]();
  }
}

/** Fields that come again and never change, such as those of a client that asks for one thing after the other. */
export class KeptFields extends Fields {
  /** What was derived from them, by the place that keeps it. */
  readonly derived: Map<object, unknown> = new Map();

  constructor(fields: Fields) {
    super(fields);
    Object.freeze(this.lines);
  }
}

/** A place where one module keeps what it derives from fields that come again. For all other fields it keeps nothing. */
export class Derived<T extends object | string> {
  recall(fields: FieldReader): T | undefined {
    return fields instanceof KeptFields ? fields.derived.get(this) as T | undefined : undefined;
  }

  keep(fields: FieldReader, value: T): void {
    if (fields instanceof KeptFields) fields.derived.set(this, value);
  }
}
