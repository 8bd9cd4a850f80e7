/**
 * The Auth panel: credentials that become a header row.
 * @see RFC 7617 (Basic), RFC 6750 (Bearer)
 * @module
 */

import { element, find, findRadios } from "../page/dom.ts";
import type { Draft } from "./draft.ts";
import { decodeBase64 } from "../../core/address/arg.ts";
import { decodeUtf8 } from "../../parts/console/har-content.ts";
import { findField, type Lines } from "../page/format.ts";

type Kind = Auth["kind"];
type Headers = Draft["headers"];

/** Inputs of each kind: member, label and type. */
const INPUTS: Readonly<Record<Kind, readonly [member: Member, label: string, type: string][]>> = {
  none: [],
  basic: [["user", "User", "text"], ["password", "Password", "password"]],
  bearer: [["token", "Token", "password"]],
  key: [["name", "Field", "text"], ["value", "Key", "password"]],
};

/**
 * Opens the panel; `onChange` gets the headers with the credentials in them. The result shows the credentials in the headers, unless
 * the user types here.
 */
export function openAuth(
  read: () => Headers,
  onChange: (headers: Headers) => void,
): (headers: Headers) => void {
  const panel = find("panel-auth");
  const kinds = findRadios("auth");
  let row: string | undefined;
  const apply = () => {
    const made = writeAuth(readInputs(kinds.value as Kind));
    onChange(replaceRow(read(), row, made));
    row = made?.[0].toLowerCase();
  };
  for (const radio of kinds) {
    radio.addEventListener("change", () => {
      showInputs({ kind: kinds.value as Kind, name: KEY_FIELD }, apply);
      apply();
    });
  }
  return (headers) => {
    if (panel.contains(document.activeElement)) return;
    const auth = readAuth(headers);
    row = writeAuth(auth)?.[0].toLowerCase();
    kinds.value = auth.kind;
    showInputs(auth, apply);
  };
}

/** Replaces the row that the panel wrote before, in its place. */
function replaceRow(
  headers: Headers,
  old: string | undefined,
  made: [name: string, value: string] | undefined,
): Headers {
  const names = new Set([old, made?.[0].toLowerCase()]);
  const at = headers.findIndex(([name]) => names.has(name.toLowerCase()));
  const others = headers.filter(([name]) => !names.has(name.toLowerCase()));
  const place = at < 0 ? others.length : at;
  return made ? [...others.slice(0, place), made, ...others.slice(place)] : others;
}

function readInputs(kind: Kind): Auth {
  const values = INPUTS[kind].map(([member]) => [member, find<HTMLInputElement>(`auth-${member}`).value]);
  return { kind, ...Object.fromEntries(values) };
}

function showInputs(auth: Auth, apply: () => void): void {
  find("auth-inputs").replaceChildren(...INPUTS[auth.kind].map(([member, label, type]) => {
    const input = element("input", {
      id: `auth-${member}`,
      type,
      autocomplete: "off",
      spellcheck: "false",
      input: apply,
    });
    input.value = auth[member] ?? "";
    return element("label", {}, label, input);
  }));
  find("auth-hint").textContent = auth.kind === "none"
    ? "The target gets no credentials."
    : "A row of Headers; it is not stored.";
}

type Member = "user" | "password" | "token" | "name" | "value";

/** Credentials in the Auth panel: a kind, with what its inputs hold. */
export type Auth = { kind: "none" | "basic" | "bearer" | "key" } & { [member in Member]?: string };

const KEY_FIELD = "x-api-key";

/** The header row of credentials; `undefined` for none. */
export function writeAuth(
  { kind, user, password, token, name, value = "" }: Auth,
): [name: string, value: string] | undefined {
  if (kind === "basic") return ["authorization", `Basic ${encodeText(`${user}:${password}`)}`];
  if (kind === "bearer") return ["authorization", `Bearer ${token}`];
  return kind === "key" ? [name || KEY_FIELD, value] : undefined;
}

/** Reads the credentials out of header rows. */
export function readAuth(headers: Lines): Auth {
  const value = findField(headers, "authorization");
  const key = headers.find(([name]) => name.toLowerCase() === KEY_FIELD);
  if (value === undefined) return key ? { kind: "key", name: key[0], value: key[1] } : { kind: "none" };
  const [, scheme = "", rest = ""] = /^(\S+)\s*(.*)$/s.exec(value) ?? [];
  if (/^bearer$/i.test(scheme)) return { kind: "bearer", token: rest };
  const bytes = /^basic$/i.test(scheme) ? decodeBase64(rest) : undefined;
  const decoded = bytes && decodeUtf8(bytes);
  const colon = decoded?.indexOf(":") ?? -1;
  if (decoded === undefined || colon < 0) return { kind: "none" };
  return { kind: "basic", user: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

/** Base64 of UTF-8. */
export function encodeText(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
