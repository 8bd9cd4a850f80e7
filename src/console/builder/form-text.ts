/**
 * Forms: fields to `application/x-www-form-urlencoded`, and back where nothing is lost; and `multipart/form-data` with a boundary of our
 * own.
 * @module
 * @see RFC 7578, and HTML "multipart/form-data encoding algorithm" for the names
 */

import { essenceOf } from "../page/format.ts";
import type { FormField } from "./draft.ts";

/** The media type of an encoded form. */
export const FORM_TYPE = "application/x-www-form-urlencoded";

/** Encodes the fields (URL standard §5.2). */
export function writeForm(fields: readonly FormField[]): string {
  return new URLSearchParams(fields.map(({ name, value }): [string, string] => [name, value])).toString();
}

/** Reads fields; `undefined` if encoding them again would give another text. */
export function readForm(text: string): FormField[] | undefined {
  const fields = [...new URLSearchParams(text)].map(([name, value]) => ({ name, value }));
  return writeForm(fields) === text ? fields : undefined;
}

/** True for the content type of an encoded form. */
export function isFormType(type: string): boolean {
  return essenceOf(type) === FORM_TYPE;
}

const TYPE = /^multipart\/form-data\s*(?:;|$)/i;
/** The characters that a boundary may have (RFC 2046 §5.1.1). */
const BOUNDARY = /;\s*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'()+,./:=?-]{1,70}))/i;

/** Makes a boundary that no body contains by chance. */
export function makeBoundary(): string {
  const random = crypto.getRandomValues(new Uint8Array(12));
  return `fetchvia-${[...random].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** The boundary that a content type names. */
export function readBoundary(contentType: string | undefined): string | undefined {
  if (contentType === undefined || !TYPE.test(contentType)) return undefined;
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  return quoted ?? plain;
}

/** Writes the body: text if it holds no file, otherwise a `Blob` that reads the files when it is sent. */
export function writeMultipart(fields: readonly FormField[], boundary: string): string | Blob {
  const pieces: (string | Blob)[] = [];
  for (const { name, value, file } of fields) {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${escapeName(name)}"`;
    if (file) {
      const type = file.type || "application/octet-stream";
      pieces.push(`${head}; filename="${escapeName(file.name)}"\r\ncontent-type: ${type}\r\n\r\n`);
      pieces.push(file.content, "\r\n");
    } else pieces.push(`${head}\r\n\r\n${value}\r\n`);
  }
  pieces.push(`--${boundary}--\r\n`);
  return pieces.every((piece) => typeof piece === "string") ? pieces.join("") : new Blob(pieces);
}

function escapeName(name: string): string {
  return name.replace(/\r\n|\r|\n/g, "%0D%0A").replaceAll('"', "%22");
}
