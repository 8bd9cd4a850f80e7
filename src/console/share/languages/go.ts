/**
 * Writes a request as a program in Go.
 * @module
 */

import { findField, hasField } from "../../page/format.ts";
import { listFields, type PlainRequest, readPlace, readText, writeBase64 } from "./request-parts.ts";

/** What `url.Parse` writes out as it read it. */
const PLAIN_PATH = /^\/[\w\-.~!$&'()*+,;=:@/]*(?:\?[\x21-\x7e]*)?$/;

/** Writes the program. It sends these fields and no others, and follows no redirect. */
export function writeGo(request: PlainRequest): string {
  const { method, url, body } = request;
  const fields = listFields(request);
  const host = findField(fields, "host");
  const { path } = readPlace(url);
  // Go takes an opaque address that begins with two slashes for one with a host.
  const isExact = !PLAIN_PATH.test(path) && !path.startsWith("//");
  const content = writeBody(body);
  const packages = ["fmt", "io", "net/http", "os", ...content.packages, ...(isExact ? ["net/url"] : [])]
    .sort();
  const lines = [
    ...content.lines,
    `request, err := http.NewRequest(${quote(method)}, ${quote(url)}, ${content.reader})`,
    ...CHECK,
    ...(isExact ? [writeAddress(url)] : []),
    ...(host === undefined ? [] : [`request.Host = ${quoteBytes(host)}`]),
    ...fields.filter(([name]) => name.toLowerCase() !== "host").map(([name, value]) =>
      `request.Header.Add(${quote(name)}, ${quoteBytes(value)})`
    ),
    ...(hasField(request.headers, "user-agent")
      ? []
      : [`request.Header.Set("User-Agent", "") // or Go names itself`]),
    "transport := &http.Transport{DisableCompression: true}",
    "response, err := transport.RoundTrip(request)",
    ...CHECK,
    "defer response.Body.Close()",
    "fmt.Println(response.Proto, response.Status)",
    "response.Header.Write(os.Stdout)",
    "fmt.Println()",
    "io.Copy(os.Stdout, response.Body)",
  ];
  return writeProgram(packages, lines);
}

function writeProgram(packages: readonly string[], lines: readonly string[]): string {
  return [
    "package main",
    "",
    "import (",
    ...packages.map((name) => `\t"${name}"`),
    ")",
    "",
    "func main() {",
    ...lines.map((line) => `\t${line}`),
    "}",
    "",
  ].join("\n");
}

const CHECK = ["if err != nil {", "\tpanic(err)", "}"];

/** An opaque address goes out as it is, where a parsed one would be encoded anew. */
function writeAddress(url: string): string {
  const { isSecure, host, path } = readPlace(url);
  const scheme = isSecure ? "https" : "http";
  return `request.URL = &url.URL{Scheme: "${scheme}", Host: ${quote(host)}, Opaque: ${quote(path)}}`;
}

function writeBody(body: PlainRequest["body"]): { packages: string[]; lines: string[]; reader: string } {
  if (body === undefined) return { packages: [], lines: [], reader: "nil" };
  const text = readText(body);
  if (text !== undefined) {
    return { packages: ["strings"], lines: [], reader: `strings.NewReader(${quote(text)})` };
  }
  return {
    packages: ["bytes", "encoding/base64"],
    lines: [`body, err := base64.StdEncoding.DecodeString(${quote(writeBase64(body))})`, ...CHECK],
    reader: "bytes.NewReader(body)",
  };
}

/** A string literal; its characters are UTF-8. */
function quote(text: string): string {
  const escaped = JSON.stringify(text).replace(/[^\x20-\x7e]/gu, (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    return code > 0xffff
      ? `\\U${code.toString(16).padStart(8, "0")}`
      : `\\u${code.toString(16).padStart(4, "0")}`;
  });
  return escaped;
}

/** A string literal of Latin-1 text, one byte for each character. */
function quoteBytes(text: string): string {
  return JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}
