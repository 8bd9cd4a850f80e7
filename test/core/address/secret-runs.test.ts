/** What looks like a secret in a path. */
import { expect, it } from "vitest";
import { replaceSecretRuns, replaceUserinfo } from "../../../src/core/address/secret-runs.ts";

it.each([
  { text: "/bot1:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw", left: "/bot1:!" },
  { text: "/507f1f77bcf86cd799439011", left: "/507f1f77bcf86cd799439011" },
  { text: "/0123456789012345678901234567890123", left: "/!" },
  { text: "/averylongwordwithoutanynumber", left: "/averylongwordwithoutanynumber" },
  { text: "/123e4567-e89b-12d3-a456-426614174000", left: "/123e4567-e89b-12d3-a456-426614174000" },
])("$text → $left", ({ text, left }) => expect(replaceSecretRuns(text, () => "!")).toBe(left));

it.each([
  { text: "/https://u:p@a.test/b@c", left: "/https://!@a.test/b@c" },
  { text: "https:/u:p@s@a.test", left: "https:/!@a.test" },
  { text: "?url=https:u:p@a.test", left: "?url=https:!@a.test" },
  { text: "https:\\\\u:p\\q@a.test", left: "https:\\\\!@a.test" },
  { text: "https:\\/u:p@a.test", left: "https:\\/!@a.test" },
  { text: "//u:p@a.test //b@c.test", left: "//!@a.test //!@c.test" },
  { text: "\\\\u:p@a.test", left: "\\\\!@a.test" },
  { text: "/@scope/name a@b.test https://a.test/@x", left: "/@scope/name a@b.test https://a.test/@x" },
])("userinfo: $text → $left", ({ text, left }) => expect(replaceUserinfo(text, () => "!")).toBe(left));
