/** What is read out of a pasted text. @module */
import { describe, expect, it } from "vitest";
import { encodeArg } from "../../../src/core/address/arg.ts";
import { decodePasted, type LabelContext } from "../../../src/console/share/pasted.ts";
import { rowsOf, words } from "../../support/rows.ts";

const CONTEXT: LabelContext = { domain: "localhost", labels: [["api", "https://api.test/v1"]] };
const POST = { url: "https://a.test/p", method: "POST", body: { name: "Zoë" } };
const padded = encodeURIComponent(Buffer.from(JSON.stringify(POST)).toString("base64"));

describe("decodePasted", () => {
  it.each(rowsOf(["pasted", "what", "argument"], [
    [encodeArg(POST), "An arg", POST],
    [`  ${padded}\n`, "An arg", POST],
    [`arg=${padded}`, "An arg link", POST],
    [`http://localhost:8080/__proxy__/fetch?arg=${padded}#x`, "An arg link", POST],
    [`http://localhost:8080/__proxy__/fetch/?arg=${padded}`, "An arg link", POST],
    [`https://p.test/__proxy__/fetch?token=t&arg=${padded}&exp=1&sig=x`, "An arg link", POST],
    ["http://localhost:8080/__proxy__/?url=https%3A%2F%2Fa.test%2Fp%3Fq%3D1", "A url link", {
      url: "https://a.test/p?q=1",
    }],
    ["http://localhost:8080/__proxy__/?url=https://a.test/p?q=1&r=2", "A url link", {
      url: "https://a.test/p?q=1&r=2",
    }],
    ["my--site-example-com-8443", "The label my--site-example-com-8443", {
      url: "https://my-site.example.com:8443/",
    }],
    ["127-0-0-1-3000", "The label 127-0-0-1-3000", { url: "http://127.0.0.1:3000/" }],
    ["a-test.w.localhost", "The label a-test", { url: "https://a.test/" }],
    ["http://a-test.w.localhost:8080/p?q#x", "The label a-test", { url: "https://a.test/p?q" }],
    ["http://API.w.localhost:8080/p", "The label API", { url: "https://api.test/v1/p" }],
    ["api", "The label api", { url: "https://api.test/v1/" }],
    ["https://a.test/p", "An address", { url: "https://a.test/p" }],
  ]))("$pasted is $what", ({ pasted, what, argument }) => {
    expect(decodePasted(pasted, CONTEXT)).toEqual({ what, argument });
  });

  it.each([
    "",
    "   ",
    ...words`{} http://localhost:8080/__proxy__/fetch?arg=%%%
      http://localhost:8080/__proxy__/fetch?arg=AAAA -a- javascript:alert(1) <script>`,
  ])("%s is nothing", (pasted) => expect(decodePasted(pasted, CONTEXT)).toBeUndefined());
});
