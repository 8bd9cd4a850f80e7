/**
 * What is read out of a pasted text.
 * @module
 */
import { describe, expect, it } from "vitest";
import { encodeArg } from "../../../../../src/address/arg.ts";
import { decodePasted, type LabelContext } from "../../../../../src/pages/console/browser/share/decode.ts";

const CONTEXT: LabelContext = { domain: "localhost", labels: [["api", "https://api.test/v1"]] };
const POST = { url: "https://a.test/p", method: "POST", body: { name: "Zoë" } };
const padded = encodeURIComponent(Buffer.from(JSON.stringify(POST)).toString("base64"));

describe("decodePasted", () => {
  it.each([
    { pasted: encodeArg(POST), what: "An arg", argument: POST },
    { pasted: `  ${padded}\n`, what: "An arg", argument: POST },
    { pasted: `arg=${padded}`, what: "An arg link", argument: POST },
    { pasted: `http://localhost:8080/__proxy__/fetch?arg=${padded}#x`, what: "An arg link", argument: POST },
    { pasted: `http://localhost:8080/__proxy__/fetch/?arg=${padded}`, what: "An arg link", argument: POST },
    {
      pasted: `https://p.test/__proxy__/fetch?token=t&arg=${padded}&exp=1&sig=x`,
      what: "An arg link",
      argument: POST,
    },
    {
      pasted: "http://localhost:8080/__proxy__/?url=https%3A%2F%2Fa.test%2Fp%3Fq%3D1",
      what: "A url link",
      argument: { url: "https://a.test/p?q=1" },
    },
    {
      pasted: "http://localhost:8080/__proxy__/?url=https://a.test/p?q=1&r=2",
      what: "A url link",
      argument: { url: "https://a.test/p?q=1&r=2" },
    },
    {
      pasted: "my--site-example-com-8443",
      what: "The label my--site-example-com-8443",
      argument: { url: "https://my-site.example.com:8443/" },
    },
    {
      pasted: "127-0-0-1-3000",
      what: "The label 127-0-0-1-3000",
      argument: { url: "http://127.0.0.1:3000/" },
    },
    { pasted: "a-test.w.localhost", what: "The label a-test", argument: { url: "https://a.test/" } },
    {
      pasted: "http://a-test.w.localhost:8080/p?q#x",
      what: "The label a-test",
      argument: { url: "https://a.test/p?q" },
    },
    {
      pasted: "http://API.w.localhost:8080/p",
      what: "The label API",
      argument: { url: "https://api.test/v1/p" },
    },
    { pasted: "api", what: "The label api", argument: { url: "https://api.test/v1/" } },
    { pasted: "https://a.test/p", what: "An address", argument: { url: "https://a.test/p" } },
  ])("$pasted is $what", ({ pasted, what, argument }) => {
    expect(decodePasted(pasted, CONTEXT)).toEqual({ what, argument });
  });

  it.each([
    { pasted: "" },
    { pasted: "   " },
    { pasted: "{}" },
    { pasted: "http://localhost:8080/__proxy__/fetch?arg=%%%" },
    { pasted: "http://localhost:8080/__proxy__/fetch?arg=AAAA" },
    { pasted: "-a-" },
    { pasted: "javascript:alert(1)" },
    { pasted: "<script>" },
  ])("$pasted is nothing", ({ pasted }) => {
    expect(decodePasted(pasted, CONTEXT)).toBeUndefined();
  });
});
