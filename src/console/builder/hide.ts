/**
 * Takes secrets out of what the page stores, by the table and the functions that capture masks by. Loaded when something is
 * stored. A variable in the place of a secret stays.
 * @module
 */

import { maskField, maskText } from "../../parts/capture/mask-fields.ts";
import type { Masker } from "../../parts/capture/masker.ts";
import { isSecretField, isSecretName } from "../../core/address/secret-names.ts";
import { parseJson } from "../page/format.ts";
import { maskAddress } from "../../parts/capture/mask-address.ts";

const VARIABLE = /\{\{[^{}]*\}\}/g;
const SPARED = /(?:\{\{|%7B%7B)(\d+)(?:\}\}|%7D%7D)/gi;
/** Also user and password, each a variable. */
const ONLY_VARIABLES = /^(?:\{\{\d+\}\}[:. ]?)+$/;
const CLEARING: Masker = { hide: clear, hideInAddress: clear };

function clear(secret: string): string {
  return ONLY_VARIABLES.test(secret) ? secret : "";
}

/** Replaces variables by numbers meanwhile: a long name looks like a secret. */
function sparing(text: string, hide: (text: string) => string): string {
  const variables: string[] = [];
  const spared = text.replace(VARIABLE, (variable) => `{{${variables.push(variable) - 1}}}`);
  return hide(spared).replace(SPARED, (typed, index) => variables[Number(index)] ?? typed);
}

/** The value of a field, `Cookie` included. */
export function hideField(name: string, value: string): string {
  const key = name.trim().toLowerCase();
  const hidden = sparing(value, (spared) => maskField(key, maskUser(spared, CLEARING), CLEARING));
  if (!isSecretField(key)) return hidden;
  // A scheme, or names of cookies, are of no use alone.
  return hidden.includes("{{") ? hidden : "";
}

/** The value of a variable, or of a field of a form. */
export function hideValue(name: string, value: string): string {
  if (isSecretName(name.trim())) return sparing(value, clear);
  return hideBody(value);
}

/** An address as typed: user and password, parameters, the keys of webhooks and what else looks like a key. */
export function hideAddress(typed: string): string {
  return sparing(typed, (spared) => maskTyped(spared, CLEARING));
}

/** A body that is text. */
export function hideBody(text: string): string {
  return sparing(text, (spared) => maskBody(spared, CLEARING));
}

/** User and password of an address, also of one without a scheme; blanks may stand in a password as it is typed. */
const USER = /^(\s*(?:[a-z][a-z\d+.-]*:)?\/\/)([^/?#]*)@|^(\s*)([^\s/?#:@]+:[^\s/?#]*)@/i;
/** Texts in texts, such as JSON in a string of JSON, are read this deep; what lies deeper is left out. */
const MAX_DEPTH = 4;
/** `name=value&…`, without a blank. */
const FORM = /^[\w.[\]%+~*-]+=\S*$/;
/** Not a variable, which begins with two braces. */
const JSON_START = /^\s*(?:["[]|\{(?!\{))/;
/** A variable, a string, a sign, or a word. */
const TOKEN = /\{\{\d+\}\}|"(?:[^"\\]|\\[^])*"?|[{}[\](),:]|[^\s"{}[\](),:]+/g;
const COLON = /\s*:/y;
/** What names a value in text, such as `name: value`, `name = 'value'`. */
const PAIR = /(?<![\w.-])([\w.-]{1,100})["']?[ \t]{0,8}[:=][ \t]{0,8}/g;
/** The value behind it: in quotes, or up to a sign that ends it. */
const VALUE = /\{\{\d+\}\}|"[^"\n]*|'[^'\n]*|[^\n&<,)}]*/y;
/** A part of a form, up to its value, and its name. */
const PART = /^content-disposition:([^\r\n]*)(?:\r?\n[^\r\n]+){0,8}\r?\n\r?\n/gim;
const PART_NAME = /\bname="?([^"\r\n;]{1,100})/i;
const PART_END = /\r?\n--/g;
/** An element of HTML that names what it holds. */
const TAG = /<[a-z][^<>]{0,2000}>/gi;
const TAG_NAME = /\sname\s*=\s*["']?([\w.[\]:-]{1,100})/i;
const TAG_VALUE = /(\s(?:value|content)\s*=\s*["']?)([^"'>]+)/i;
const ELEMENT = /(<(?:[\w-]{1,50}:)?([\w.-]{1,100})(?:\s[^<>]{0,500})?>(?:<!\[CDATA\[)?)([^<]+)/g;

function maskUser(text: string, masker: Masker): string {
  return text.replace(
    USER,
    (_, start = "", user = "", blank = "", bare = "") => `${start}${blank}${masker.hide(user + bare)}@`,
  );
}

/** Masks the secrets in an address as it is typed. The name of its host is none, with or without a scheme. */
function maskTyped(typed: string, masker: Masker): string {
  const text = maskUser(typed, masker);
  const scheme = /^\s*(?:[a-z][a-z\d+.-]*:\/\/|[/?#]|$)/i.test(text) ? "" : "https://";
  return maskAddress(scheme + text, masker).slice(scheme.length);
}

/** Masks the secrets in a body, in which a variable is a number in two braces. Nothing else changes. */
export function maskBody(typed: string, masker: Masker, depth = 0): string {
  if (depth > MAX_DEPTH) return masker.hide(typed);
  const text = maskUser(typed, masker);
  if (FORM.test(text)) return maskAddress(`?${text}`, masker).slice(1);
  const isStructured = JSON_START.test(text);
  const masked = isStructured ? maskMembers(text, masker, depth) : text;
  // Variables stand for values.
  const isJson = isStructured && parseJson(text.replace(/\{\{\d+\}\}/g, "0")) !== undefined;
  return isJson ? masked : maskText(maskNamed(masked, masker), masker);
}

/** Masks by names of members, token by token: numbers, blanks and doubled members stay as typed. */
function maskMembers(text: string, masker: Masker, depth: number): string {
  let name = "";
  let isSecret = false;
  let level = 0;
  /** The level from which all is secret; 0 for none. */
  let secretLevel = 0;
  let isNamed = false; // By a member `name` before, for the member `value`.
  return text.replace(TOKEN, (token, at: number) => {
    switch (token) {
      case ":":
        isSecret = isSecretName(name) || isNamed && name === "value";
        return token;
      case ",":
        isSecret = false;
        return token;
      case "{":
      case "[":
      case "(":
        level += 1;
        if (isSecret) secretLevel ||= level;
        isSecret = isNamed = false;
        return token;
      case "}":
      case "]":
      case ")":
        if (level === secretLevel) secretLevel = 0;
        level -= 1;
        isNamed = false;
        return token;
    }
    COLON.lastIndex = at + token.length;
    if (COLON.test(text)) {
      name = readString(token) ?? token;
      return token;
    }
    isNamed ||= /^(?:name|key)$/.test(name) && isSecretName(readString(token) ?? "");
    if (isSecret || secretLevel > 0) return maskValue(token, masker);
    return token.startsWith('"') ? maskString(token, masker, depth) : token;
  });
}

function maskValue(token: string, masker: Masker): string {
  if (/^(?:null|true|false)$/.test(token)) return token;
  if (token.startsWith('"')) return `"${masker.hide(token.replace(/^"|"$/g, ""))}"`;
  return masker.hide(token) || '""';
}

function maskString(token: string, masker: Masker, depth: number): string {
  const value = readString(token);
  if (value === undefined) return maskText(token, masker);
  const masked = maskBody(value, masker, depth + 1);
  return masked === value ? token : JSON.stringify(masked);
}

/** Masks `name: value`, `name=value` and `<name>value`. */
function maskNamed(text: string, masker: Masker): string {
  let masked = "";
  let from = 0;
  for (const pair of text.matchAll(PAIR)) {
    const start = pair.index + pair[0].length;
    if (pair.index < from || !isSecretName(pair[1] ?? "")) continue;
    VALUE.lastIndex = start;
    const [value = ""] = VALUE.exec(text) ?? [];
    const [, quote = "", inner = ""] = /^(["']?)([^]*)$/.exec(value) ?? [];
    masked += text.slice(from, start) + quote + masker.hide(inner);
    from = start + value.length;
  }
  return maskParts(masked + text.slice(from), masker).replace(
    TAG,
    (tag) =>
      isSecretName(TAG_NAME.exec(tag)?.[1] ?? "")
        ? tag.replace(TAG_VALUE, (_, start: string, value: string) => start + masker.hide(value))
        : tag,
  ).replace(
    ELEMENT,
    (whole, start: string, name: string, value: string) =>
      isSecretName(name) ? start + masker.hide(value) : whole,
  );
}

/** Masks the parts of a form that secret names have. */
function maskParts(text: string, masker: Masker): string {
  let masked = "";
  let from = 0;
  for (const { 0: start, 1: line = "", index } of text.matchAll(PART)) {
    if (index < from || !isSecretName(PART_NAME.exec(line)?.[1] ?? "")) continue;
    const at = index + start.length;
    PART_END.lastIndex = at;
    const end = PART_END.exec(text)?.index ?? text.length;
    masked += text.slice(from, at) + masker.hide(text.slice(at, end));
    from = end;
  }
  return masked + text.slice(from);
}

/** The text of a string; `undefined` for anything else. */
function readString(token: string): string | undefined {
  const value = parseJson(token);
  return typeof value === "string" ? value : undefined;
}
