import { expect, it } from "vitest";
import { isChangeable } from "../../../../src/parts/gate/targets/field-members.ts";
import { words } from "../../../support/rows.ts";

it.each(["authorization", "X-Api-Key", "cookie", "content-type", "x-forwarded-proto", "cache-control"])(
  "lets an entry change %s",
  (name) => expect(isChangeable(name)).toBe(true),
);

it.each([
  ...words(`
    Host content-length Content-Encoding transfer-encoding connection te upgrade sec-websocket-key proxy_host
    proxy-token proxy-authorization proxy-status cdn-loop Via x-final-url x-fetchvia-head
  `),
  "a b",
  "",
])("keeps %s as it is", (name) => expect(isChangeable(name)).toBe(false));
