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
  /** Visits each field, value first, as `Headers` does. Only for `Fields` is `written` the name as written, a string. */
  forEach(visit: (value: string, name: string, written: unknown) => void): void;
}

/** Write access to header fields; a `Headers` fits too. */
export interface FieldWriter extends FieldReader {
  /** Sets the value. If the name has a line already, the position and the spelling of the first one stay. */
  set(name: string, value: string, written?: unknown): void;
  /**
   * Adds a line.
   *
   * @param written the name in the spelling to send; ignored if it is not a string
   */
  append(name: string, value: string, written?: unknown): void;
  /** Removes every line of the name. */
  delete(name: string): void;
}

/**
 * Fields by lower-case name, line by line in the order received, with their names as they were written. Separate lines of
 * one name stay separate (RFC 9110 §5.3).
 */
export class Fields implements FieldWriter {
  /** Alternating names and values. Kept fields may share them, so only `Fields` writes to them (see `#own`). */
  lines: readonly string[];
  /** The name of each line in the spelling that is sent. */
  written: readonly string[];
  /** The kept fields whose lines these fields still share; of kept fields, themselves. */
  kept: KeptFields | undefined;
  /** The kept fields from which these differ in free values alone. */
  shape: KeptFields | undefined;

  constructor(fields?: Iterable<readonly [name: string, value: string]>) {
    const from = fields instanceof Fields ? fields : undefined;
    this.kept = from?.kept;
    this.shape = from?.shape;
    const shared = (this.kept ?? this.shape) && from;
    this.lines = shared?.lines ?? from?.lines.slice() ?? [];
    this.written = shared?.written ?? from?.written.slice() ?? [];
    if (!fields || from) return;
    for (const [name, value] of fields) this.append(name, value);
  }

  /** The value; several lines are joined by commas. */
  get(name: string): string | null {
    if (this.kept) return this.kept.get(name);
    const known = this.shape?.get(name);
    if (known || known === null) return known;
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

  /** Bytes of all names and values. */
  get bytes(): number {
    let bytes = 0;
    for (const text of this.lines) bytes += text.length;
    return bytes;
  }

  set(name: string, value: string, written?: unknown): void {
    const { lines, written: names } = this.#own();
    let first = 0;
    while (first < lines.length && lines[first] !== name) first += 2;
    if (first === lines.length) return this.append(name, value, written);
    lines[first + 1] = value;
    if (typeof written === "string") names[first / 2] = written;
    this.#drop(name, first + 2);
  }

  /** Adds a separate line. */
  append(name: string, value: string, written?: unknown): void {
    const { lines, written: names } = this.#own();
    lines.push(name, value);
    names.push(nameOf(name, written));
  }

  delete(name: string): void {
    this.#drop(name, 0);
  }

  /** Drops the lines of a name, from an index on. */
  #drop(name: string, from: number): void {
    const { lines, written } = this.#own();
    let kept = from;
    for (let at = from; at < lines.length; at += 2) {
      if (lines[at] === name) continue;
      lines[kept] = lines[at] as string;
      lines[kept + 1] = lines[at + 1] as string;
      written[kept / 2] = written[at / 2] as string;
      kept += 2;
    }
    lines.length = kept;
    written.length = kept / 2;
  }

  /** Removes all fields. */
  clear(): void {
    const { lines, written } = this.#own();
    lines.length = written.length = 0;
  }

  forEach(visit: (value: string, name: string, written: unknown) => void): void {
    const { lines, written } = this;
    for (let at = 0; at < lines.length; at += 2) {
      visit(lines[at + 1] as string, lines[at] as string, written[at / 2]);
    }
  }

  [Symbol.iterator](): Iterator<[name: string, value: string]> {
    const pairs: [name: string, value: string][] = [];
    this.forEach((value, name) => pairs.push([name, value]));
    return pairs[Symbol.iterator]();
  }

  /**
   * The lines to write to. Those of kept fields are copied at the first change, because most copies are never changed.
   * They are not frozen: engines read frozen arrays at five to ten times the cost.
   *
   * @throws {TypeError} for kept fields
   */
  #own(): { lines: string[]; written: string[] } {
    if (this.kept || this.shape) {
      if (this.kept === this as Fields) throw new TypeError("kept fields never change");
      this.kept = this.shape = undefined;
      this.lines = this.lines.slice();
      this.written = this.written.slice();
    }
    return this as { lines: unknown; written: unknown } as { lines: string[]; written: string[] };
  }
}

/** The lines of fields, with their names as written. */
export function linesOf(fields: FieldReader): [name: string, value: string][] {
  const lines: [string, string][] = [];
  fields.forEach((value, name, written) => void lines.push([nameOf(name, written), value]));
  return lines;
}

/** The name of a line in the spelling that is sent. */
export function nameOf(name: string, written: unknown): string {
  return typeof written === "string" ? written : name;
}

/** The fields without their free values, if these are known to differ; otherwise the fields themselves. */
export function shapeOf(fields: FieldReader): FieldReader {
  return fields instanceof Fields ? fields.shape ?? fields : fields;
}

/** Fields that repeat and never change, such as those of a client that sends one request after another. */
export class KeptFields extends Fields {
  /** The names whose values are free, each of one line; as kept, these values are empty. */
  readonly free: readonly string[];
  /** Where in the lines these values are. */
  readonly at: readonly number[];
  /** Values derived from these fields, by the `Derived` that keeps them. */
  readonly derived: WeakMap<object, unknown> = new WeakMap();
  readonly #values: Map<string, string> = new Map();
  readonly #bytes: number;

  constructor(fields: Fields, free: readonly string[] = []) {
    super(fields);
    this.at = this.lines.flatMap((name, at) => at % 2 === 0 && free.includes(name) ? [at + 1] : []);
    this.free = this.at.map((at) => this.lines[at - 1]!);
    for (const name of this.free) this.set(name, "");
    this.kept = this.shape = undefined;
    this.#bytes = super.bytes;
    for (const [name] of this) this.#values.set(name, super.get(name)!);
    this.kept = this;
  }

  /** The fields with these values, in the order of `free`; themselves if none is free. */
  fill(values: readonly string[]): Fields {
    if (values.length === 0) return this;
    const filled = new Fields();
    const lines = this.lines.slice();
    for (let at = 0; at < values.length; at += 1) lines[this.at[at]!] = values[at]!;
    filled.lines = lines;
    filled.written = this.written;
    filled.shape = this;
    return filled;
  }

  /** The fields with the values that others have in the free ones. */
  fillFrom(fields: FieldReader): Fields {
    return this.fill(this.free.map((name) => fields.get(name)!));
  }

  override get(name: string): string | null {
    return this.#values.get(name) ?? null;
  }

  override get bytes(): number {
    return this.#bytes;
  }
}

/**
 * A cache where one module keeps the values that it derives from kept fields. An unchanged copy of the fields finds them
 * too. For all other fields it keeps nothing.
 */
export class Derived<T extends object | string | boolean> {
  /** False for fields for which nothing is kept. */
  takes(fields: FieldReader): boolean {
    return keptOf(fields) !== undefined;
  }

  recall(fields: FieldReader): T | undefined {
    return keptOf(fields)?.derived.get(this) as T | undefined;
  }

  keep(fields: FieldReader, value: T): void {
    keptOf(fields)?.derived.set(this, value);
  }
}

function keptOf(fields: FieldReader): KeptFields | undefined {
  return fields instanceof Fields ? fields.kept : undefined;
}
