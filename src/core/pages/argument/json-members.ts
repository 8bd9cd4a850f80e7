/**
 * Finds the members of a JSON text as parts of its bytes, without a tree: `JSON.parse` may change numbers, and many
 * small values need tens of bytes of memory for each byte of text.
 * @module
 */

import {
  AFTER,
  ASSIGN,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  CLOSE_STRING,
  COLON,
  FAULT,
  FIRST_ITEM,
  FIRST_NAME,
  GRAMMAR,
  mayEnd,
  NAME,
  NEXT,
  OPEN_ARRAY,
  OPEN_NAME,
  OPEN_OBJECT,
  STRING,
  VALUE,
} from "./json-grammar.ts";
import type { Pace } from "./pace.ts";

/** A member of an object, or an item of an array, in the bytes of a JSON text. */
export interface Member {
  /** The name as written, with its quotes; empty for an item. */
  name: Uint8Array<ArrayBuffer>;
  /** The value as written, without surrounding blanks. */
  value: Uint8Array<ArrayBuffer>;
}

/** Maximum members to read; nobody needs more, and each one takes memory. */
export const MAX_MEMBERS = 10_000;

/** The members at the top level of a JSON text. */
export interface Members {
  isObject: boolean;
  /** In the order written, including equal names. */
  list: Member[];
  /** True if there are more than `MAX_MEMBERS`; the text after them was not read. */
  isCut: boolean;
}

/**
 * Reads the members of an object or an array, in linear time and with little extra memory. Strings, numbers and
 * literals have no members.
 *
 * @param json UTF-8 without a byte order mark
 * @returns for text that is not UTF-8, or that `JSON.parse` refuses, the byte that can't be read; the length if it ends too
 * early
 * @see RFC 8259
 */
export async function readMembers(json: Uint8Array<ArrayBuffer>, pace: Pace): Promise<Members | number> {
  const scanner = new Scanner(json);
  await pace.work(json.length, (_, end) => scanner.scan(end));
  return scanner.finish();
}

const COMMA = 0x2c;

/** Scans a text once, and can pause at any byte. */
class Scanner {
  readonly #json: Uint8Array<ArrayBuffer>;
  readonly #members: Members = { isObject: false, list: [], isCut: false };
  #at = 0;
  #state = VALUE;
  #depth = 0;
  /** One bit for each depth: set for an object. A text may be as deep as it is long. */
  readonly #objects: number[] = [0];
  #isName = false;
  /** Where the name and the value of the member at the top start and end. */
  #nameStart = 0;
  #nameEnd = 0;
  #start = 0;

  constructor(json: Uint8Array<ArrayBuffer>) {
    this.#json = json;
  }

  /** Scans up to a byte; false if there is nothing more to read. */
  scan(end: number): boolean {
    const json = this.#json;
    let state = this.#state;
    let at = this.#at;
    for (; at < end && state !== FAULT; at += 1) {
      const next = GRAMMAR[state << 8 | json[at] as number] as number;
      state = next < OPEN_ARRAY ? next : this.#act(next, state, at);
    }
    this.#state = state;
    this.#at = at;
    return state !== FAULT;
  }

  finish(): Members | number {
    const isWhole = this.#depth === 0 && mayEnd(this.#state);
    if (isWhole || this.#members.isCut) return this.#members;
    return this.#state === FAULT ? this.#at - 1 : this.#at;
  }

  /** Performs the action of a byte, and returns the next state. */
  #act(action: number, state: number, at: number): number {
    switch (action) {
      case NEXT:
        if (this.#depth === 0) return FAULT;
        if (this.#depth === 1 && !this.#take(at)) return FAULT;
        return this.#isObject() ? NAME : VALUE;
      case OPEN_ARRAY:
        this.#open(false, at);
        return FIRST_ITEM;
      case OPEN_OBJECT:
        this.#open(true, at);
        return FIRST_NAME;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        return this.#close(action, state, at);
      case OPEN_NAME:
        this.#isName = true;
        if (this.#depth === 1) this.#nameStart = at;
        return STRING;
      case CLOSE_STRING:
        if (!this.#isName) return AFTER;
        this.#isName = false;
        if (this.#depth === 1) this.#nameEnd = at + 1;
        return COLON;
      case ASSIGN:
        if (this.#depth === 1) this.#start = at + 1;
        return VALUE;
      default:
        return FAULT;
    }
  }

  #open(isObject: boolean, at: number): void {
    this.#depth += 1;
    if (this.#depth === 1) {
      this.#start = at + 1;
      this.#members.isObject = isObject;
    }
    const index = this.#depth >> 4;
    const bits = this.#objects[index] ?? 0;
    const place = 1 << (this.#depth & 15);
    this.#objects[index] = isObject ? bits | place : bits & ~place;
  }

  #isObject(): boolean {
    return ((this.#objects[this.#depth >> 4] as number) >> (this.#depth & 15) & 1) === 1;
  }

  #close(action: number, state: number, at: number): number {
    if (this.#depth === 0 || this.#isObject() !== (action === CLOSE_OBJECT)) return FAULT;
    const isEmpty = state === FIRST_ITEM || state === FIRST_NAME;
    if (this.#depth === 1 && !isEmpty) this.#take(at);
    this.#depth -= 1;
    return AFTER;
  }

  /** Keeps the member that ends before this byte; false if there is no room for the next one. */
  #take(end: number): boolean {
    const json = this.#json;
    const { list } = this.#members;
    let start = this.#start;
    let last = end;
    while (isBlank(json[start])) start += 1;
    while (isBlank(json[last - 1])) last -= 1;
    list.push({ name: json.subarray(this.#nameStart, this.#nameEnd), value: json.subarray(start, last) });
    this.#start = end + 1;
    this.#members.isCut = json[end] === COMMA && list.length >= MAX_MEMBERS;
    return !this.#members.isCut;
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
