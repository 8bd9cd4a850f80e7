/**
 * Composes the request to send from what is typed, byte for byte.
 * @module
 */

import { isToken } from "../../core/http/headers.ts";
import { findField } from "../page/format.ts";
import { completeAddress } from "./complete-address.ts";
import { type Draft, findVariables, resolveDraft, type Variables } from "./draft.ts";
import { makeBoundary, readBoundary, writeForm, writeMultipart } from "./form-text.ts";
import { findReason, type HeaderFacts, markHeaders } from "./header-rows.ts";

/** A request that can be sent. */
export interface ReadyRequest {
  method: string;
  url: string;
  /** In the order of the wire; names may repeat. Fields that do not go out are left out. */
  headers: [name: string, value: string][];
  /** Text goes out as UTF-8; a `Blob` holds files. Absent for none. */
  body?: string | Blob;
  /** The fields of a body with files, and a file that is the body: other programs read them from disk. */
  files?: Pick<Draft, "fields" | "file">;
  redirect: "follow" | "manual";
}

/** A request that can be sent, with what is worth knowing; or why it can't. */
export type Outcome =
  | { request: ReadyRequest; notes: string[]; problem?: undefined }
  | { problem: string };

/** What a request depends on besides the draft. */
export interface Surroundings extends HeaderFacts {
  /** The host for a path without one, or `null`. */
  host: string | null;
  variables?: Variables;
}

/** Used where the content type names no boundary; the same for every request of a page. */
const FALLBACK_BOUNDARY = makeBoundary();

/** Composes a request. */
export function buildRequest(typed: Draft, { host, variables = new Map(), ...facts }: Surroundings): Outcome {
  const draft = resolveDraft(typed, variables);
  const address = completeAddress(draft.address, host);
  if (address.problem !== undefined) return address;
  const refused = refuse(draft, facts);
  if (refused) return { problem: refused };
  const headers = draft.headers
    .filter(([name]) => name !== "" && findReason(name, facts) === undefined)
    .map(([name, value]): [string, string] => [name, value.trim()]);
  const left = [...new Set(draft.headers.map(([name]) => name).filter((name) => findReason(name, facts)))];
  const unresolved = findVariables(draft);
  const notes = [
    address.note,
    left.length > 0 && `Does not go out: ${left.join(", ")}`,
    unresolved.length > 0 &&
    `No value for ${unresolved.map((name) => `{{${name}}}`).join(", ")}: sent as typed`,
    findJsonFault(draft),
  ].filter((note) => typeof note === "string");
  return {
    notes,
    request: {
      method: draft.method,
      url: address.url,
      headers,
      ...buildBody(draft, headers),
      redirect: draft.follow ? "follow" : "manual",
    },
  };
}

function buildBody(
  { kind, body, fields = [], file }: Draft,
  headers: Draft["headers"],
): Pick<ReadyRequest, "body" | "files"> {
  switch (kind) {
    case "form":
      return { body: writeForm(fields) };
    case "multipart": {
      const boundary = readBoundary(findField(headers, "content-type")) ?? FALLBACK_BOUNDARY;
      const written = writeMultipart(fields, boundary);
      return { body: written, ...(typeof written !== "string" && { files: { fields } }) };
    }
    case "file":
      return file ? { body: file.content, files: { file } } : {};
    case "json":
    case "raw":
      return kind === "json" && body === "" ? {} : { body };
    default:
      return {};
  }
}

function refuse({ method, headers, kind, file }: Draft, facts: HeaderFacts): string | undefined {
  if (!isToken(method)) return "The method is no token such as POST";
  if (/^(?:connect|trace)$/i.test(method)) return `${method} is for proxies themselves: use another method`;
  if (kind === "file" && !file) return "Choose the file that is the body";
  return markHeaders(headers, facts).find((mark) => mark?.kind === "wrong")?.text;
}

function findJsonFault({ kind, body }: Draft): string | undefined {
  if (kind !== "json" || body === "") return undefined;
  try {
    JSON.parse(body);
    return undefined;
  } catch (error) {
    return `The body is not valid JSON and is sent as typed: ${
      error instanceof Error ? error.message : "it does not parse"
    }`;
  }
}
