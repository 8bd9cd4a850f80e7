/**
 * Forms: fields to `application/x-www-form-urlencoded`, and back where nothing is lost.
 * @module
 */

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
  return type.split(";", 1)[0]?.trim().toLowerCase() === FORM_TYPE;
}
