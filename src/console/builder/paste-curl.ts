/**
 * Reads a `curl` command into a draft. What can't be taken over is named.
 * @module
 */

import { findField, hasField } from "../page/format.ts";
import { decodeLink } from "../share/pasted.ts";
import { draftArgument, draftBody } from "./fetch-argument.ts";
import { encodeText } from "./auth-view.ts";
import { type Given, type Meaning, readOptions } from "./curl-options.ts";
import { type Draft, emptyDraft, type FormField } from "./draft.ts";
import { FORM_TYPE, makeBoundary } from "./form-text.ts";
import { splitWords } from "./shell-words.ts";

/** A draft and what is worth knowing; or why there is none. */
export type Pasted = { draft: Draft; notes: string[]; problem?: undefined } | {
  draft?: undefined;
  notes: string[];
  problem: string;
};

/** What the options say, gathered in their order. */
interface Command {
  method: string | undefined;
  addresses: string[];
  headers: [name: string, value: string][];
  /** Fields that `-H 'name:'` leaves out. */
  removed: Set<string>;
  data: string[];
  queries: string[];
  fields: FormField[];
  flags: Set<Meaning>;
  notes: string[];
}

/** Reads a command. */
export function parseCurl(text: string): Pasted {
  let split;
  try {
    split = splitWords(text.trim().replace(/^\$\s+/, ""));
  } catch (error) {
    return { notes: [], problem: `This curl command can't be read: ${(error as Error).message}` };
  }
  const command: Command = {
    method: undefined,
    addresses: [],
    headers: [],
    removed: new Set(),
    data: [],
    queries: [],
    fields: [],
    flags: new Set(),
    notes: split.expands.length > 0
      ? [`The shell would replace ${[...new Set(split.expands)].join(", ")}`]
      : [],
  };
  for (const given of readOptions(split.words.slice(1))) take(command, given);
  const [address, ...others] = command.addresses;
  if (!address) return { notes: [], problem: "This curl command names no address" };
  if (others.length > 0) command.notes.push(`Only the first address is taken, not ${others.join(", ")}`);
  // curl takes http where no scheme is written.
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`;
  return { draft: unwrap(writeDraft(command, whole)), notes: command.notes };
}

function take(command: Command, given: Given): void {
  const { name, meaning } = given;
  if (meaning === undefined) command.notes.push(`${name} is not taken over`);
  else (TAKERS[meaning] ?? takeFlag)(command, { ...given, meaning });
}

type Known = Given & { meaning: Meaning };
type Taker = (command: Command, given: Known) => void;

/** Takes an option that is a field of the request. */
function takeField(field: string, write: (value: string) => string): Taker {
  return ({ headers }, { value }) => void headers.push([field, write(value)]);
}

/** How each option is taken; those that are missing are noted as they are. */
const TAKERS: Partial<Record<Meaning, Taker>> = {
  method: (command, { value }) => void (command.method = value),
  url: ({ addresses }, { value }) => void addresses.push(value),
  header: (command, { value }) => takeHeader(command, value),
  json: takeData,
  data: takeData,
  "data-raw": takeData,
  "data-binary": takeData,
  "data-urlencode": takeData,
  form: takePart,
  "form-string": takePart,
  user({ headers, notes }, { name, value }) {
    const isWhole = value.includes(":");
    headers.push(["authorization", `Basic ${encodeText(isWhole ? value : `${value}:`)}`]);
    if (!isWhole) notes.push(`${name} has no password: curl would ask for it`);
  },
  bearer: takeField("authorization", (value) => `Bearer ${value}`),
  cookie({ headers, notes }, { name, value }) {
    if (value.includes("=")) headers.push(["cookie", value]);
    else notes.push(`${name} ${value} is a file of cookies, which can't be read here`);
  },
  agent: takeField("user-agent", (value) => value),
  referer: takeField("referer", (value) => value.replace(/;auto$/, "")),
  range: takeField("range", (value) => `bytes=${value}`),
  query: ({ queries }, { value }) =>
    void queries.push(value.startsWith("+") ? value.slice(1) : encodeQuery(value)),
  upload(command, { name, value }) {
    command.method ??= "PUT";
    command.notes.push(`${name} ${value} is a file: choose it under Body`);
    command.flags.add("upload");
  },
};

function takeFlag({ flags, notes }: Command, { name, meaning }: Known): void {
  flags.add(meaning);
  if (name === "-k" || name === "--insecure") {
    notes.push(`${name} is not taken over: certificates are a setting of the proxy`);
  }
}

/** `name: value`, `name;` for an empty value, `name:` to leave a field out. */
function takeHeader({ headers, removed, notes }: Command, text: string): void {
  if (text.startsWith("@")) return void notes.push(`-H ${text} is a file, which can't be read here`);
  const [, name = "", mark, rest = ""] = /^([^:;]*)([:;])?([\s\S]*)$/.exec(text) ?? [];
  const value = rest.trim();
  if (mark === undefined) notes.push(`-H ${text} is no header`);
  else if (mark === ";" && value === "") headers.push([name.trim(), ""]);
  else if (mark === ":" && value === "") removed.add(name.trim().toLowerCase());
  else headers.push([name.trim(), value]);
}

function takeData({ data, notes, flags }: Command, { name, meaning, value }: Known): void {
  flags.add(meaning);
  const isFile = meaning !== "data-raw" && value.startsWith("@") && meaning !== "data-urlencode";
  if (isFile) {
    const from = value === "@-" ? "the standard input" : `the file ${value.slice(1)}`;
    flags.add("upload");
    return void notes.push(
      `${name} ${value} reads ${from}, which can't be read here: choose a file under Body`,
    );
  }
  data.push(meaning === "data-urlencode" ? encodeData(value, name, notes) : value);
}

/** `content`, `=content`, `name=content`; `@file` and `name@file` can't be read. */
function encodeData(value: string, option: string, notes: string[]): string {
  const [, name = "", mark, content = ""] = /^([^=@]*)([=@])([\s\S]*)$/.exec(value) ?? ["", "", "=", value];
  if (mark === "@") notes.push(`${option} ${value} reads a file, which can't be read here`);
  return (name ? `${name}=` : "") + (mark === "@" ? "" : encodeURIComponent(content));
}

function encodeQuery(value: string): string {
  return encodeData(value, "--url-query", []);
}

function takePart({ fields, notes }: Command, { meaning, value: text }: Known): void {
  const at = text.indexOf("=");
  const name = text.slice(0, Math.max(at, 0));
  const value = text.slice(at + 1);
  if (meaning === "form" && /^[@<]/.test(value)) {
    notes.push(`-F ${text} reads a file: choose it in the row ${name}`);
    fields.push({ name, value: "" });
  } else if (meaning === "form" && /^[^"]*;(?:type|filename|headers|encoder)=/.test(value)) {
    const [plain = "", ...extras] = value.split(";");
    notes.push(`;${extras.join(";")} of -F ${name} is not taken over`);
    fields.push({ name, value: plain });
  } else fields.push({ name, value: meaning === "form" ? value.replace(/^"([\s\S]*)"$/, "$1") : value });
}

function writeDraft(command: Command, address: string): Draft {
  const { flags, data, queries, fields, method } = command;
  const isQuery = flags.has("get");
  const isForm = fields.length > 0 && !isQuery;
  const hasData = data.length > 0 && !isQuery;
  const isSent = isForm || data.length > 0 || flags.has("data") || flags.has("data-binary");
  const implied = flags.has("head") ? "HEAD" : isSent && !isQuery ? "POST" : "GET";
  const body = data.join(flags.has("json") ? "" : "&");
  const headers = writeHeaders(command, isForm, isSent && !isQuery);
  const type = findField(headers, "content-type") ?? "";
  return {
    ...emptyDraft(),
    method: method ?? implied,
    address: addQuery(address, [...queries, ...(isQuery ? data : [])]),
    headers,
    follow: flags.has("follow"),
    ...(isForm ? { kind: "multipart" as const, fields } : hasData ? draftBody(body, type) : {}),
    ...(flags.has("upload") && !hasData && { kind: "file" as const }),
  };
}

/** The fields that were given, with those that curl adds and that matter to a target. */
function writeHeaders(
  { headers, removed, flags }: Command,
  isForm: boolean,
  hasData: boolean,
): Command["headers"] {
  const isGiven = (name: string) => removed.has(name) || hasField(headers, name);
  const isJson = flags.has("json");
  const added: Command["headers"] = [];
  if (!isGiven("content-type")) {
    if (isForm) added.push(["content-type", `multipart/form-data; boundary=${makeBoundary()}`]);
    else if (hasData) added.push(["content-type", isJson ? "application/json" : FORM_TYPE]);
  }
  if (isJson && !isGiven("accept")) added.push(["accept", "application/json"]);
  if (flags.has("compressed") && !isGiven("accept-encoding")) {
    added.push(["accept-encoding", "deflate, gzip, br, zstd"]);
  }
  return [...headers, ...added];
}

function addQuery(address: string, queries: readonly string[]): string {
  if (queries.length === 0) return address;
  const [plain = "", fragment] = address.split(/(?=#)/, 2);
  return `${plain}${plain.includes("?") ? "&" : "?"}${queries.join("&")}${fragment ?? ""}`;
}

/** The request that a request to a proxy stands for; any other one unchanged: the code that the console gives leads there. */
function unwrap(draft: Draft): Draft {
  const headers = draft.headers.filter(([name]) => !/^proxy[_-]token$/i.test(name));
  const link = /\/__proxy__\/?(?:fetch\/?)?\?/.test(draft.address) ? decodeLink(draft.address) : undefined;
  const { url } = link?.argument ?? {};
  if (link?.what === "An arg link") return draftArgument(link.argument);
  if (typeof url === "string") return { ...draft, address: url, headers, follow: true };
  const host = headers.find(([name]) => /^proxy[_-]host$/i.test(name))?.[1];
  const path = /^https?:\/\/[^/?#]*(.*)$/is.exec(draft.address)?.[1];
  if (host === undefined || path === undefined || !URL.canParse(host)) return draft;
  const others = headers.filter(([name]) => !/^proxy[_-]host$/i.test(name));
  return { ...draft, address: host.replace(/\/$/, "") + path, headers: others, follow: false };
}
