/** Which fields and parameters hold secrets, by their names. @module */
import { describe, expect, it } from "vitest";
import { isSecretField, isSecretName, isSecretParameter } from "../../../src/core/address/secret-names.ts";
import { OPEN_FIELDS, OPEN_PARAMETERS } from "../../support/secret-names.ts";
import { SECRET_FIELDS, SECRET_PARAMETERS } from "../../support/secret-names.ts";

describe("a field", () => {
  it.each(SECRET_FIELDS)("is a secret: %s", (name) => {
    expect(isSecretField(name)).toBe(true);
    expect(isSecretName(name.toUpperCase())).toBe(true);
  });

  it.each(OPEN_FIELDS)("is none: %s", (name) => expect(isSecretField(name)).toBe(false));
});

describe("a parameter", () => {
  it.each(SECRET_PARAMETERS)("is a secret: %s", (name) => {
    expect(isSecretParameter(name)).toBe(true);
    expect(isSecretName(name)).toBe(true);
  });

  it.each(OPEN_PARAMETERS)("is none: %s", (name) => {
    expect(isSecretParameter(name)).toBe(false);
    expect(isSecretName(name)).toBe(false);
  });
});
