/** Text as a URL as the engine reads it. */
import { expect, it } from "vitest";
import { parsePlainUrl } from "../../../src/core/address/plain-url.ts";

it.each([
  { text: "https://a.test/b", base: undefined, href: "https://a.test/b" },
  { text: "/b", base: "https://a.test/", href: "https://a.test/b" },
  { text: new URL("https://a.test/"), base: undefined, href: "https://a.test/" },
  { text: "/b", base: undefined, href: undefined },
  { text: "http://a b", base: undefined, href: undefined },
])("$text at $base is $href", ({ text, base, href }) => expect(parsePlainUrl(text, base)?.href).toBe(href));
