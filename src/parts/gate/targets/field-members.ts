/**
 * The members that set and remove headers and query parameters, and that list the keys that callers may place.
 * @module
 */

import { isFieldValue, isHopByHop, isSteering, isToken } from "../../../core/http/headers.ts";
import { isRecord } from "../../../core/settings/option-values.ts";
import type { SetField } from "./entry.ts";
import { fillKeys, listKeys } from "./keys.ts";
import { isTexts } from "../../../core/settings/request-lists.ts";
import { badPart, type Member, type Reading, showName } from "./member.ts";

/** The name of a key, as callers write it. */
export const KEY_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** A query parameter in the table: `?` and its name as it stands in the query. */
const PARAMETER = /^\?[^?#&=\s\x7f-\uffff]+$/;

/** The header and key members by name. */
export const FIELD_MEMBERS: Readonly<Record<string, Member>> = {
  set: {
    expected: 'an object such as {"authorization": "Bearer {{OPENAI_KEY}}"}',
    read(value, draft, reading) {
      const fields = readFields(value, "set", (text) => fill(text, reading));
      draft.set = fields?.filter(({ name }) => !name.startsWith("?")) ?? [];
      const names = fields?.flatMap(({ keys }) => keys) ?? [];
      const own = names.map((name) => [name, reading.readKey(name)] as const);
      draft.ownKeys = new Map([...draft.ownKeys ?? [], ...own]);
      draft.setQuery = fields?.filter(({ name }) => name.startsWith("?"))
        .map((field) => ({ ...field, name: field.name.slice(1) })) ?? [];
      return fields !== undefined;
    },
  },
  remove: removing("remove"),
  answerSet: {
    expected: 'an object such as {"x-robots-tag": "noindex"}',
    read(value, draft) {
      const fields = readFields(value, "answerSet", (text) => ({ value: text, keys: [] }));
      draft.answerSet = fields ?? [];
      return fields !== undefined && fields.every(({ name }) => !name.startsWith("?"));
    },
  },
  answerRemove: removing("answerRemove"),
  keys: {
    expected: 'a list of names such as ["OPENAI_KEY"]',
    read(value, draft, reading) {
      if (!isTexts(value) || !value.every((name) => KEY_NAME.test(name))) return false;
      for (const name of value) reading.readKey(name);
      draft.keys = value;
      return true;
    },
  },
};

function removing(member: "remove" | "answerRemove"): Member {
  return {
    expected: 'a list of field names such as ["x-debug"]',
    read(value, draft) {
      if (!isTexts(value)) return false;
      for (const name of value) refuseFixed(name, member);
      draft[member] = value.map((name) => name.toLowerCase());
      return true;
    },
  };
}

/** Reads an object of texts; `undefined` for anything else. */
function readFields(
  value: unknown,
  member: string,
  fillIn: (text: string) => Pick<SetField, "value" | "keys">,
): SetField[] | undefined {
  if (!isRecord(value)) return undefined;
  const names = new Set<string>();
  return Object.entries(value).map(([written, text]) => {
    const name = PARAMETER.test(written) ? written : written.toLowerCase();
    if (!name.startsWith("?")) refuseFixed(name, member);
    else if (!PARAMETER.test(name)) {
      throw badPart(`${member}.${showName(written)}`, "a parameter such as ?key");
    }
    if (names.has(name)) throw badPart(`${member}.${showName(written)}`, "each name once");
    names.add(name);
    if (typeof text !== "string" || !isFieldValue(text)) {
      throw badPart(`${member}.${showName(written)}`, "text on one line");
    }
    return { name, written, ...fillIn(text) };
  });
}

function refuseFixed(name: string, member: string): void {
  if (!isChangeable(name)) throw badPart(`${member}.${showName(name)}`, CHANGEABLE);
}

function fill(text: string, reading: Reading): Pick<SetField, "value" | "keys"> {
  return { value: fillKeys(text, (name) => reading.readKey(name)), keys: listKeys(text) };
}

/** Fields that frame or encode a message, or that describe how (RFC 9110 §8.4, §8.6; RFC 9112 §6; RFC 6455 §11.3). */
const FRAMING = /^(?:host|content-length|content-encoding|content-range|sec-websocket-.*)$/;
/** Headers that the proxy itself writes or reads. */
const OWN = /^(?:cdn-loop|via|x-final-url|x-fetchvia-.*|proxy_.*)$/;

/** True for a field that an entry may set and remove. Takes the name in any case. */
export function isChangeable(name: string): boolean {
  const lowered = name.toLowerCase();
  return isToken(lowered) && !isHopByHop(lowered) && !isSteering(lowered) && !FRAMING.test(lowered) &&
    !OWN.test(lowered);
}

/** Describes the fields that `isChangeable` accepts, for messages. */
const CHANGEABLE = "a field that neither frames nor encodes a message and is not the proxy's own";
