/**
 * The schemes whose login holds for a connection.
 * @module
 */
import { expect, it } from "vitest";
import { isConnectionLogin } from "../../src/http/connection-login.ts";

it.each([
  { value: "NTLM", is: true },
  { value: "negotiate YII=", is: true },
  { value: "Basic realm=a,\tNTLM TlRM", is: true },
  { value: "Bearer ntlm", is: false },
  { value: "Basic bnRsbTp4", is: false },
  { value: "NTLMSSP x", is: false },
  { value: "", is: false },
  { value: null, is: false },
])("$value → $is", ({ value, is }) => {
  expect(isConnectionLogin(value)).toBe(is);
});
