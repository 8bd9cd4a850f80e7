/**
 * What others write is read in time linear in its length, by each function that looks for something in it: heads, bodies,
 * addresses, and what is pasted or opened in the console. `npm run check` judges each expression by itself; this judges what
 * is done with them.
 * @module
 */
import { expect, it } from "vitest";
import { decodeArg } from "../src/address/arg.ts";
import { findAddressFault } from "../src/address/fault.ts";
import { settleHost } from "../src/address/international.ts";
import { decodeLabel } from "../src/address/label.ts";
import { dropParameter, readAddressParameter, readParameter } from "../src/address/query.ts";
import { decodeHead } from "../src/address/sealed-head.ts";
import { parseUrl } from "../src/address/url.ts";
import { labelFor } from "../src/client.ts";
import { maskAddress, maskTokens } from "../src/exchange/capture/mask-address.ts";
import { maskField } from "../src/exchange/capture/mask-fields.ts";
import { createMasker } from "../src/exchange/capture/masker.ts";
import { isSecretField, isSecretParameter } from "../src/exchange/capture/secret-names.ts";
import { redactHead } from "../src/exchange/gate/redact.ts";
import { isBelow } from "../src/exchange/gate/rules.ts";
import { listTokens } from "../src/exchange/tokens/credentials.ts";
import { describeCertificateFault } from "../src/http/certificate-fault.ts";
import { readNotes, releaseCookies } from "../src/http/cookie-jar.ts";
import { cookieNames, dropOwnCookies, readCookie, restoreCarriedCookies } from "../src/http/cookies.ts";
import { Fields } from "../src/http/fields.ts";
import { countMembers } from "../src/http/json-count.ts";
import { rewriteSetCookie } from "../src/http/set-cookie.ts";
import { EventLines } from "../src/pages/console/browser/answer/body/event-lines.ts";
import { essenceOf, listViews } from "../src/pages/console/browser/answer/body/body-kind.ts";
import { JsonSource } from "../src/pages/console/browser/answer/body/json-source.ts";
import { showControls } from "../src/pages/console/browser/answer/body/line-source.ts";
import { Search } from "../src/pages/console/browser/answer/body/search.ts";
import { TextSource } from "../src/pages/console/browser/answer/body/text-source.ts";
import { readCause } from "../src/pages/console/browser/answer/cause.ts";
import { nameFile } from "../src/pages/console/browser/answer/file-name.ts";
import { completeAddress } from "../src/pages/console/browser/builder/address.ts";
import { readAuth } from "../src/pages/console/browser/builder/auth.ts";
import { readForm } from "../src/pages/console/browser/builder/form.ts";
import { formatJson } from "../src/pages/console/browser/builder/format-json.ts";
import { readBoundary } from "../src/pages/console/browser/builder/multipart.ts";
import { readParams } from "../src/pages/console/browser/builder/params.ts";
import { parseCurl } from "../src/pages/console/browser/builder/paste-curl.ts";
import { resolveText } from "../src/pages/console/browser/builder/variables.ts";
import { compareFields } from "../src/pages/console/browser/inspector/changes.ts";
import { explainSetCookie } from "../src/pages/console/browser/inspector/explain-set-cookie.ts";
import { readHar } from "../src/pages/console/browser/inspector/har-read.ts";
import { decodePasted } from "../src/pages/console/browser/share/decode.ts";
import { LANGUAGES } from "../src/pages/console/browser/share/languages/languages.ts";
import { findAddressSecrets } from "../src/pages/console/browser/share/secrets.ts";
import { parseFilter } from "../src/pages/console/browser/traffic/filter.ts";
import { readCookies, readSetCookie } from "../src/pages/console/cookie-list.ts";
import { maskAddress as maskRow } from "../src/pages/console/mask.ts";
import { areFieldLines, parseHead, readFields } from "../src/runtimes/http1/head.ts";
import { parseRequestHead, readOtherHost } from "../src/runtimes/server/request-head.ts";
import { findSteep } from "./support/growth.ts";

const masker = createMasker("00");
const keys = new Map([["KEY", "sk-proj-AbC123/xyz+Q9def0123456789"]]);
const jar = { owner: "https~a.test", defaultPath: "/", room: 3, isShown: () => false };
const mapping = {
  origin: { hosts: ["a.test"], isTrusted: false },
  secure: false,
  basePath: "/base",
  mountPath: "",
  path: "map" as const,
};
const labels = { domain: "w.localhost", labels: [] };

/** All lines of a text, as the console shows them. */
function readAll(source: JsonSource | TextSource | EventLines, text: string): void {
  source.update(text, true, false as never);
  source.advance(Infinity);
}

function search(text: string, query: string, kind: "text" | "json" | "bytes" = "text"): void {
  new Search({ text, kind }, query).advance(Infinity);
}

function write(url: string, value: string): void {
  const headers: [string, string][] = [["x-a", value], ["cookie", value]];
  for (const { write } of LANGUAGES) write({ method: "POST", url, headers, body: value });
}

/** A request head, or an answer's. */
const headOf = (line: string, field: string) => `${line}\r\n${field}\r\nHost: a.test\r\n\r\n`;

interface Reader {
  name: string;
  read: (text: string) => unknown;
  /** What stands before and behind the run. */
  ends?: [string, string];
  /** What is repeated, if it is not all that is hostile somewhere. */
  units?: string[];
}

const READERS: Reader[] = [
  { name: "a request line", read: (text) => parseRequestHead(headOf(`GET /${text} HTTP/1.1`, "a: b")) },
  {
    name: "a field of a request",
    read: (text) => parseRequestHead(headOf("GET / HTTP/1.1", text)),
    ends: ["a: ", "x"],
  },
  {
    name: "the host of a request line",
    read: (text) => readOtherHost(text, "a.test"),
    ends: ["http://", "x"],
  },
  { name: "a status line", read: (text) => parseHead(headOf(text, "a: b")), ends: ["HTTP/1.1 200 ", "x"] },
  {
    name: "a field of an answer",
    read: (text) => parseHead(headOf("HTTP/1.1 200 OK", text)),
    ends: ["a: ", "x"],
  },
  { name: "field lines", read: (text) => areFieldLines(text) && readFields(text), ends: ["a:", "x\r\n"] },
  {
    name: "a reason with keys",
    read: (statusText) => redactHead({ headers: new Fields(), statusText }, keys),
  },
  { name: "a certificate's fault", read: (text) => describeCertificateFault([text]) },
  {
    name: "an address in a field",
    read: (text) => maskAddress(text, masker),
    ends: ["https://a.test/", "x"],
  },
  { name: "a query to be masked", read: (text) => maskAddress(text, masker), ends: ["/?token=a&x=", "x"] },
  { name: "tokens", read: (text) => maskTokens(text, masker), ends: ["eyJa", "x"] },
  { name: "JSON in a field", read: (text) => maskTokens(text, masker), ends: ['{"token":"', "x"] },
  { name: "a name of JSON in a field", read: (text) => maskTokens(text, masker), ends: ['{"token"', "x"] },
  { name: "any field", read: (text) => maskField("x-any", text, masker), ends: ["x", "x"] },
  { name: "Cookie, masked", read: (text) => maskField("cookie", text, masker), ends: ["a=b", "x"] },
  { name: "Set-Cookie, masked", read: (text) => maskField("set-cookie", text, masker), ends: ["a=b", "x"] },
  { name: "the name of a field", read: isSecretField, ends: ["x-", "x"] },
  { name: "the name of a parameter", read: isSecretParameter, ends: ["x-", "x"] },
  { name: "Cookie", read: (text) => readCookie(dropOwnCookies(text), "a"), ends: ["proxy_host=a;a", "x"] },
  { name: "carried cookies", read: (text) => restoreCarriedCookies(text), ends: ["proxy_carried", "x"] },
  { name: "names of cookies", read: (text) => cookieNames(text), ends: ["proxy_at_", "x"] },
  { name: "notes of cookies", read: readNotes, ends: ["proxy_set_a~%2f=1;", "x"] },
  {
    name: "cookies of one host",
    read: (text) => releaseCookies(text, jar.owner, false),
    ends: ["proxy_at_", "x"],
  },
  { name: "Set-Cookie", read: (text) => rewriteSetCookie(text, mapping), ends: ["a=b", "x"] },
  { name: "a host beyond ASCII", read: (text) => settleHost(`\u00fc${text}`), ends: ["a", "x"] },
  { name: "a host in Punycode", read: (text) => parseUrl(`http://${text}`), ends: ["xn--", "-a"] },
  { name: "a right-to-left host", read: (text) => settleHost(`\u05d0.${text}`), ends: ["a", "x"] },
  {
    name: "Set-Cookie in a jar",
    read: (text) => rewriteSetCookie(text, { ...mapping, jar }),
    ends: ["__Host-a", "x"],
  },
  { name: "a path of an entry", read: (text) => isBelow(["/v1/"], text), ends: ["/v1/", "x"] },
  { name: "callers' tokens", read: listTokens, ends: ["fv1.", "x"] },
  { name: "an argument", read: decodeArg },
  { name: "JSON of an argument", read: countMembers, ends: ['{"a":"', '"}'] },
  { name: "a sealed head", read: decodeHead },
  { name: "a parameter", read: (query) => readParameter(query, "b"), ends: ["?a=", "&b=x"] },
  { name: "the address in a query", read: readAddressParameter, ends: ["?url=", "x"] },
  { name: "a query without a parameter", read: (query) => dropParameter(query, "b"), ends: ["?a=", "&b=x"] },
  { name: "a wrong address", read: findAddressFault, ends: ["https:", "x"] },
  { name: "a label", read: decodeLabel },
  { name: "a host for a label", read: (text) => labelFor(`https://a.test/${text}`) },
  { name: "a JSON body", read: (text) => readAll(new JsonSource(), text), ends: ['{"a":', "}"] },
  { name: "an array of JSON", read: (text) => readAll(new JsonSource(), text), ends: ["[", "]"] },
  { name: "a text body", read: (text) => readAll(new TextSource(), text) },
  { name: "an event stream", read: (text) => readAll(new EventLines(), text), ends: ["data:", "\n\n"] },
  { name: "control characters", read: showControls },
  { name: "a body that is searched", read: (text) => search(text, "aab") },
  { name: "a JSON body that is searched", read: (text) => search(text, '{"a": [', "json") },
  { name: "bytes that are searched", read: (text) => search(text, "5c5c5c41", "bytes") },
  {
    name: "a type",
    read: (type) => listViews(essenceOf(type), new Uint8Array(9), () => type),
    ends: ["text/", "x"],
  },
  {
    name: "the cause of a failure",
    read: (text) => readCause(502, text, JSON.stringify({ detail: text })),
    ends: ["add ", "x"],
  },
  {
    name: "the name of a file",
    read: (text) => nameFile([["content-disposition", text]], text),
    ends: ["a; filename=", "x"],
  },
  {
    name: "a file's extended name",
    read: (text) => nameFile([["content-disposition", text]], text),
    ends: ["a;filename*=a'", "x"],
  },
  { name: "an address that is typed", read: (text) => completeAddress(text, null), ends: ["https://", "x"] },
  { name: "credentials", read: (text) => readAuth([["authorization", text]]), ends: ["Basic", "x"] },
  { name: "a form", read: readForm, ends: ["a=", "x"] },
  { name: "JSON to be formatted", read: (text) => formatJson(JSON.stringify([text])) },
  { name: "a boundary", read: readBoundary, ends: ["multipart/form-data; boundary=", "x"] },
  { name: "parameters", read: readParams, ends: ["https://a.test/?", "x"] },
  { name: "curl", read: parseCurl, ends: ["curl https://a.test/ -H ", " x"] },
  { name: "quoted words of curl", read: parseCurl, ends: ["curl https://a.test/ --data-raw $'", "'"] },
  { name: "curl of Windows", read: parseCurl, ends: ['curl ^"https://a.test/^" -H ^"', '^"'] },
  { name: "parts of curl", read: parseCurl, ends: ["curl https://a.test/ -F 'a=", ";type=b'"] },
  { name: "variables", read: (text) => resolveText(text, new Map([["a", "b"]])) },
  {
    name: "an explained Set-Cookie",
    read: (text) =>
      explainSetCookie({
        name: "set-cookie",
        state: "changed",
        before: ["set-cookie", text],
        after: ["set-cookie", `${text}; Path=/`],
      }, { method: "GET", url: "http://a.test/", headers: [] }),
    ends: ["a=b", "x"],
  },
  {
    name: "many lines of one name",
    units: ["ab"],
    read: (text) => compareFields(linesOf(text), linesOf(`${text}y`)),
  },
  { name: "an HAR file", read: (text) => tryHar(text) },
  {
    name: "a pasted link",
    read: (text) => decodePasted(text, labels),
    ends: ["http://localhost/__proxy__/?url=", "x"],
  },
  { name: "a pasted label", read: (text) => decodePasted(text, labels), ends: ["a.w.localhost", "x"] },
  { name: "secrets in an address", read: findAddressSecrets, ends: ["https://a.test/?token=", "x"] },
  { name: "code of an address", read: (text) => write(`https://a.test/${text}`, "x") },
  { name: "code of fields and a body", read: (text) => write("https://a.test/", text) },
  { name: "a filter", read: parseFilter, ends: ["/", "x"] },
  { name: "a filter with a quote", read: parseFilter, ends: ['status:"', "x"] },
  { name: "a list of cookies", read: readCookies, ends: ["a=b", "x"] },
  { name: "a list of attributes", read: readSetCookie, ends: ["a=b", "x"] },
  { name: "the address of a row", read: maskRow, ends: ["https://a.test/", "x"] },
];

/** As many lines of a field as the text has characters. */
function linesOf(text: string): [string, string][] {
  return [...text].map((character, place) => ["a", `${character}${place % 7}`]);
}

/** One entry with the text wherever a file may hold one. */
function tryHar(text: string): void {
  const headers = [{ name: "a", value: text }, { name: "Set-Cookie", value: text }];
  const request = {
    method: "GET",
    url: `https://a.test/?${encodeURI(text)}`,
    headers,
    postData: { mimeType: text, text },
  };
  const response = {
    status: 200,
    statusText: text,
    headers,
    content: { mimeType: text, text, comment: text },
  };
  const entry = { startedDateTime: "2026-01-01T00:00:00Z", time: 1, request, response, comment: text };
  readHar(JSON.stringify({ log: { entries: [entry] } }));
}

/** Many of these texts are refused, which counts as read. */
const refusable = (read: (text: string) => unknown) => (text: string) => {
  try {
    read(text);
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
  }
};

it.each(READERS)("$name costs what its length asks", async ({ read, ends, units }) => {
  expect(await findSteep(refusable(read), units, ends)).toEqual([]);
});
