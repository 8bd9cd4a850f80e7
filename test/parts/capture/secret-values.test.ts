/** Values that are secrets whatever their names; `test/command/run/program-variables.test.ts` has more of each kind. @module */
import { expect, it } from "vitest";
import { isOpenValue, isSecretValue } from "../../../src/parts/capture/secret-values.ts";

it.each([
  { value: "sk-ant-api03-abcdefgh", isSecret: true },
  { value: "Server=db;Password=hunter22;", isSecret: true },
  { value: "https://discord.com/api/webhooks/1/abcdefghijklmnopqrstuvwx", isSecret: true },
  { value: "q7RvT2xKp9LmZ4sWc8Bn", isSecret: true },
  { value: "/opt/VisualStudio2022BuildTools/bin", isSecret: false },
  { value: "risk-free-and-long-text", isSecret: false },
])("$value is secret: $isSecret", ({ value, isSecret }) => expect(isSecretValue(value)).toBe(isSecret));

it.each([
  { value: "true", isOpen: true },
  { value: "4096", isOpen: true },
  { value: "", isOpen: true },
  { value: "4096000", isOpen: false },
])("$value says nothing: $isOpen", ({ value, isOpen }) => expect(isOpenValue(value)).toBe(isOpen));
