/** Signed links as a part: what one admits. @module */
import { expect, it } from "vitest";
import { signLink } from "../../../src/core/address/signature.ts";
import { readOptions } from "../../../src/core/settings/config.ts";
import { makeLinks } from "../../../src/parts/links/part.ts";
import { exchangeOf } from "../../support/parts-exchange.ts";

const PATH = "/__proxy__/fetch?arg=e30";

it.each([
  { about: "a signed link", method: "GET", isReserved: true, is: "signature" },
  { about: "a signed link that is posted to", method: "POST", isReserved: true, is: undefined },
  { about: "no path of a target", method: "GET", isReserved: false, is: undefined },
])("admits $about: $is", async ({ method, isReserved, is }) => {
  const part = makeLinks(readOptions({ signingKey: "k" }));
  await part.prepare?.();
  const path = `${PATH}&sig=${await signLink(PATH, "k")}`;
  expect(await part.rules?.()?.admit?.(exchangeOf({ path, method }), isReserved)).toBe(is);
});
