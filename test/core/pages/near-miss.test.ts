/** What may have been meant as a target (rule 21.4). @module */
import { expect, it } from "vitest";
import { findNearMiss } from "../../../src/core/pages/near-miss.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { rowsOf } from "../../support/rows.ts";

const OPTIONS = { proxyDomain: "localhost", proxyLabels: "api=https://api.test", mountPath: "/m" };
const HEADER = "is not read, expected proxy_host";

it.each(rowsOf(["about", "found", "path", "fields"], [
  ["nothing", undefined, "/?q=1&age=2&curl=x", { "x-forwarded-host": "a.test", host: "localhost:8080" }],
  ["proxyhost", `header proxyhost ${HEADER}`, "/", { proxyhost: "x" }],
  ["x-proxy-host", `header x-proxy-host ${HEADER}`, "/", { "x-proxy-host": "x" }],
  ["proxy-hosts", `header proxy-hosts ${HEADER}`, "/", { "proxy-hosts": "x" }],
  ["porxy_host", `header porxy_host ${HEADER}`, "/", { "porxy_host": "x" }],
  ["proxy_hst", `header proxy_hst ${HEADER}`, "/", { "proxy_hst": "x" }],
  ["proxy_port", undefined, "/", { "proxy_port": "x" }],
  ["url", "parameter url is not read here, expected /m/__proxy__/?url=", "/?a=1&url=http://a.test/?b", {}],
  ["arg", "parameter arg is not read here, expected /m/__proxy__/fetch?arg=", "/p?arg=e30", {}],
  ["hots", "parameter hots is not read here, expected /m/__proxy__/?host=", "/?hots=http://a.test", {}],
  ["a parameter of an address", undefined, "/?x=http://a.test/", {}],
  ["no .w.", "Host looks like a label, expected api-test.w.localhost:8080", "/", {
    host: "Api-Test.localhost:8080",
  }],
  ["no .w. of an own label", "Host looks like a label, expected api.w.localhost", "/", {
    host: "api.localhost",
  }],
  ["another domain", "Host looks like a label, expected a-test.w.localhost", "/", {
    host: "a-test.w.proxy.test",
  }],
  [
    "the name alone, no secret beside it",
    "parameter hots is not read here, expected /m/__proxy__/?host=",
    "/?token=s3cret&hots=http://u:s3cret@a.test/&key=s3cret",
    {},
  ],
  ["a quote in a name", 'parameter h"st is not read here, expected /m/__proxy__/?host=', '/?h"st=x', {}],
  ["a name that decodes to lines", undefined, "/?%0d%0ahost=x&ho%0ast=x&host%00=x", {}],
  ["a name that decodes to url", undefined, "/?%75rl=http://a.test/", {}],
  ["a long name", undefined, `/?${"host".repeat(2_500)}=x`, { ["proxy-host".repeat(1_000)]: "x" }],
  ["a member of every object", undefined, "/?constructor=x&__proto__=x", { host: "constructor.localhost" }],
  ["a long Host", undefined, "/", { host: `${"a-".repeat(5_000)}test.localhost` }],
  ["a name of one part", undefined, "/", { host: "proxy.localhost" }],
  ["a name elsewhere", undefined, "/", { host: "my-proxy.example.com" }],
]))("$about: $found", ({ path, fields, found }) => {
  const exchange = exchangeOf({ fields: { ...fields }, options: OPTIONS });
  expect(findNearMiss({ ...exchange, path })).toBe(found);
});
