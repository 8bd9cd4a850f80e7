/**
 * What others write is read in time linear in its length, by each function that looks for something in it: heads, bodies,
 * addresses, and what is pasted or opened in the console. `npm run check` judges each expression by itself; this judges what
 * is done with them.
 */
import { expect, it } from "vitest";
import { decodeArg } from "../src/core/address/arg.ts";
import { findAddressFault } from "../src/core/address/fault.ts";
import { settleHost } from "../src/core/address/international.ts";
import { decodeLabel } from "../src/core/address/label.ts";
import { maskPath } from "../src/core/address/mask-path.ts";
import { dropParameter, readAddressParameter, readParameter } from "../src/core/address/query.ts";
import { decodeHead } from "../src/core/address/sealed-head.ts";
import { parseUrl } from "../src/core/address/url.ts";
import { labelFor } from "../src/client/client.ts";
import { maskAddress, maskTokens } from "../src/parts/capture/mask-address.ts";
import { maskField } from "../src/parts/capture/mask-fields.ts";
import { createMasker } from "../src/parts/capture/masker.ts";
import { isSecretField, isSecretParameter } from "../src/core/address/secret-names.ts";
import { redactHead } from "../src/parts/gate/redact.ts";
import { isBelow } from "../src/core/address/path-prefix.ts";
import { listTokens } from "../src/parts/tokens/token-credentials.ts";
import { describeTlsFault } from "../src/core/http/handshake-fault.ts";
import { readNotes, releaseCookies } from "../src/core/http/cookie-jar.ts";
import { cookieNames, dropOwnCookies, readCookie, restoreCarriedCookies } from "../src/core/http/cookies.ts";
import { Fields } from "../src/core/http/fields.ts";
import { countMembers } from "../src/core/way/overrides.ts";
import { rewriteSetCookie } from "../src/core/http/set-cookie.ts";
import { EventLines } from "../src/console/answer/body/event-lines.ts";
import { listViews } from "../src/console/answer/body/body-kind.ts";
import { essenceOf } from "../src/console/page/format.ts";
import { JsonSource } from "../src/console/answer/body/json-source.ts";
import { showControls } from "../src/console/answer/body/line-source.ts";
import { Search } from "../src/console/answer/body/search.ts";
import { TextSource } from "../src/console/answer/body/text-source.ts";
import { readCause } from "../src/console/answer/answer-notes.ts";
import { nameFile } from "../src/console/answer/answer-fields.ts";
import { completeAddress } from "../src/console/builder/complete-address.ts";
import { readAuth } from "../src/console/builder/auth-view.ts";
import { readBoundary, readForm } from "../src/console/builder/form-text.ts";
import { formatJson } from "../src/console/builder/body-editor.ts";
import { readParams, resolveText } from "../src/console/builder/draft.ts";
import { parseCurl } from "../src/console/builder/paste-curl.ts";
import { compareFields } from "../src/console/inspector/changes.ts";
import { explainSetCookie } from "../src/console/inspector/explain-answer.ts";
import { readHar } from "../src/console/inspector/har-read.ts";
import { decodePasted } from "../src/console/share/pasted.ts";
import { LANGUAGES } from "../src/console/inspector/copy-menu.ts";
import { findAddressSecrets } from "../src/console/share/share.ts";
import { parseFilter } from "../src/console/traffic/filter.ts";
import { readCookies, readSetCookie } from "../src/parts/console/cookie-list.ts";
import { maskAddress as maskRow } from "../src/parts/console/traffic-message.ts";
import { areFieldLines, parseHead, readFields } from "../src/wire/codec/head.ts";
import { parseRequestHead, readOtherHost } from "../src/wire/server/request-head.ts";
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

/** What stands before and behind the run; and what is repeated, if it is not all that is hostile somewhere. */
type Reader = [name: string, read: (text: string) => unknown, ends?: [string, string], units?: string[]];

const READERS: Reader[] = [
  ["a request line", (text) => parseRequestHead(headOf(`GET /${text} HTTP/1.1`, "a: b"))],
  ["a field of a request", (text) => parseRequestHead(headOf("GET / HTTP/1.1", text)), ["a: ", "x"]],
  ["the host of a request line", (text) => readOtherHost(text, "a.test"), ["http://", "x"]],
  ["a status line", (text) => parseHead(headOf(text, "a: b")), ["HTTP/1.1 200 ", "x"]],
  ["a field of an answer", (text) => parseHead(headOf("HTTP/1.1 200 OK", text)), ["a: ", "x"]],
  ["field lines", (text) => areFieldLines(text) && readFields(text), ["a:", "x\r\n"]],
  ["a reason with keys", (statusText) => redactHead({ headers: new Fields(), statusText }, keys)],
  ["a certificate's fault", (text) => describeTlsFault("tls_certificate", [text])],
  ["an address in a field", (text) => maskAddress(text, masker), ["https://a.test/", "x"]],
  ["a query to be masked", (text) => maskAddress(text, masker), ["/?token=a&x=", "x"]],
  ["a path on record", maskPath, ["/a=", "x"], ["https:", "@https:", "//u", "\\\\@"]],
  ["tokens", (text) => maskTokens(text, masker), ["eyJa", "x"]],
  ["JSON in a field", (text) => maskTokens(text, masker), ['{"token":"', "x"]],
  ["a name of JSON in a field", (text) => maskTokens(text, masker), ['{"token"', "x"]],
  ["any field", (text) => maskField("x-any", text, masker), ["x", "x"]],
  ["Cookie, masked", (text) => maskField("cookie", text, masker), ["a=b", "x"]],
  ["Set-Cookie, masked", (text) => maskField("set-cookie", text, masker), ["a=b", "x"]],
  ["the name of a field", isSecretField, ["x-", "x"]],
  ["the name of a parameter", isSecretParameter, ["x-", "x"]],
  ["Cookie", (text) => readCookie(dropOwnCookies(text), "a"), ["proxy_host=a;a", "x"]],
  ["carried cookies", (text) => restoreCarriedCookies(text), ["proxy_carried", "x"]],
  ["names of cookies", (text) => cookieNames(text), ["proxy_at_", "x"]],
  ["notes of cookies", readNotes, ["proxy_set_a~%2f=1;", "x"]],
  ["cookies of one host", (text) => releaseCookies(text, jar.owner, false), ["proxy_at_", "x"]],
  ["Set-Cookie", (text) => rewriteSetCookie(text, mapping), ["a=b", "x"]],
  ["a host beyond ASCII", (text) => settleHost(`\u00fc${text}`), ["a", "x"]],
  ["a host in Punycode", (text) => parseUrl(`http://${text}`), ["xn--", "-a"]],
  ["a right-to-left host", (text) => settleHost(`\u05d0.${text}`), ["a", "x"]],
  ["Set-Cookie in a jar", (text) => rewriteSetCookie(text, { ...mapping, jar }), ["__Host-a", "x"]],
  ["a path of an entry", (text) => isBelow(["/v1/"], text), ["/v1/", "x"]],
  ["callers' tokens", listTokens, ["fv1.", "x"]],
  ["an argument", decodeArg],
  ["JSON of an argument", countMembers, ['{"a":"', '"}']],
  ["a sealed head", decodeHead],
  ["a parameter", (query) => readParameter(query, "b"), ["?a=", "&b=x"]],
  ["the address in a query", readAddressParameter, ["?url=", "x"]],
  ["a query without a parameter", (query) => dropParameter(query, "b"), ["?a=", "&b=x"]],
  ["a wrong address", findAddressFault, ["https:", "x"]],
  ["a label", decodeLabel],
  ["a host for a label", (text) => labelFor(`https://a.test/${text}`)],
  ["a JSON body", (text) => readAll(new JsonSource(), text), ['{"a":', "}"]],
  ["an array of JSON", (text) => readAll(new JsonSource(), text), ["[", "]"]],
  ["a text body", (text) => readAll(new TextSource(), text)],
  ["an event stream", (text) => readAll(new EventLines(), text), ["data:", "\n\n"]],
  ["control characters", showControls],
  ["a body that is searched", (text) => search(text, "aab")],
  ["a JSON body that is searched", (text) => search(text, '{"a": [', "json")],
  ["bytes that are searched", (text) => search(text, "5c5c5c41", "bytes")],
  ["a type", (type) => listViews(essenceOf(type), new Uint8Array(9), () => type), ["text/", "x"]],
  ["the cause of a failure", (text) => readCause(502, text, JSON.stringify({ detail: text })), ["add ", "x"]],
  ["the name of a file", (text) => nameFile([["content-disposition", text]], text), ["a; filename=", "x"]],
  ["a file's extended name", (text) => nameFile([["content-disposition", text]], text), [
    "a;filename*=a'",
    "x",
  ]],
  ["an address that is typed", (text) => completeAddress(text, null), ["https://", "x"]],
  ["credentials", (text) => readAuth([["authorization", text]]), ["Basic", "x"]],
  ["a form", readForm, ["a=", "x"]],
  ["JSON to be formatted", (text) => formatJson(JSON.stringify([text]))],
  ["a boundary", readBoundary, ["multipart/form-data; boundary=", "x"]],
  ["parameters", readParams, ["https://a.test/?", "x"]],
  ["curl", parseCurl, ["curl https://a.test/ -H ", " x"]],
  ["quoted words of curl", parseCurl, ["curl https://a.test/ --data-raw $'", "'"]],
  ["curl of Windows", parseCurl, ['curl ^"https://a.test/^" -H ^"', '^"']],
  ["parts of curl", parseCurl, ["curl https://a.test/ -F 'a=", ";type=b'"]],
  ["variables", (text) => resolveText(text, new Map([["a", "b"]]))],
  ["an explained Set-Cookie", (text) =>
    explainSetCookie({
      name: "set-cookie",
      state: "changed",
      before: ["set-cookie", text],
      after: ["set-cookie", `${text}; Path=/`],
    }, { method: "GET", url: "http://a.test/", headers: [] }), ["a=b", "x"]],
  ["many lines of one name", (text) => compareFields(linesOf(text), linesOf(`${text}y`)), undefined, ["ab"]],
  ["an HAR file", (text) => tryHar(text)],
  ["a pasted link", (text) => decodePasted(text, labels), ["http://localhost/__proxy__/?url=", "x"]],
  ["a pasted label", (text) => decodePasted(text, labels), ["a.w.localhost", "x"]],
  ["secrets in an address", findAddressSecrets, ["https://a.test/?token=", "x"]],
  ["code of an address", (text) => write(`https://a.test/${text}`, "x")],
  ["code of fields and a body", (text) => write("https://a.test/", text)],
  ["a filter", parseFilter, ["/", "x"]],
  ["a filter with a quote", parseFilter, ['status:"', "x"]],
  ["a list of cookies", readCookies, ["a=b", "x"]],
  ["a list of attributes", readSetCookie, ["a=b", "x"]],
  ["the address of a row", maskRow, ["https://a.test/", "x"]],
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

it.each(READERS)("%s costs what its length asks", async (_name, read, ends, units) => {
  expect(await findSteep(refusable(read), units, ends)).toEqual([]);
});

it("finds what costs the square of the length", async () => {
  const trim = (text: string) => text.slice(text.length / 2).replace(/ +$/, "");
  // A machine that slows down while the whole text is read makes it more than 4.
  expect(await findSteep(trim, [" ", "a"], ["", "x"])).toEqual([expect.stringMatching(/^" " \d/)]);
});
