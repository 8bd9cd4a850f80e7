/** The schemes whose login holds for a connection. */
import { expect, it } from "vitest";
import { isConnectionLogin } from "../../../src/core/http/connection-login.ts";
import { grouped } from "../../support/rows.ts";

it.each(grouped(["is", "value"], [
  [true, ["NTLM", "negotiate YII=", "Basic realm=a,\tNTLM TlRM"]],
  [false, ["Bearer ntlm", "Basic bnRsbTp4", "NTLMSSP x", "", null]],
]))("$value → $is", ({ value, is }) => expect(isConnectionLogin(value)).toBe(is));
