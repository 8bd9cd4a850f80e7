/**
 * Writes a request as a program in Python. It needs no package: `http.client` sends repeated fields and all bytes as they
 * are, which others do not.
 * @module
 */

import { hasField } from "../../page/format.ts";
import { listFields, type PlainRequest, readPlace, readText, writeBase64 } from "./request-parts.ts";

/** Writes the program. It sends these fields and no others, and follows no redirect. */
export function writePython(request: PlainRequest): string {
  const { method, url, body } = request;
  const { isSecure, hostname, port, host, path } = readPlace(url);
  const text = body === undefined ? undefined : readText(body);
  const isBinary = body !== undefined && text === undefined;
  const fields = listFields(request);
  const named = hasField(fields, "host") ? fields : [["Host", host], ...fields];
  const length = body === undefined ? [] : [`connection.putheader("Content-Length", str(len(body)))`];
  return [
    ...(isBinary ? ["import base64"] : []),
    "import http.client",
    "",
    `connection = http.client.HTTP${isSecure ? "S" : ""}Connection(${JSON.stringify(hostname)}, ${port})`,
    ...(body === undefined ? [] : [
      text === undefined
        ? `body = base64.b64decode(${JSON.stringify(writeBase64(body))})`
        : `body = ${JSON.stringify(text)}.encode()`,
    ]),
    `connection.putrequest(${JSON.stringify(method)}, ${
      JSON.stringify(path)
    }, skip_host=True, skip_accept_encoding=True)`,
    ...named.map(([name, value]) =>
      `connection.putheader(${JSON.stringify(name)}, ${JSON.stringify(value)})`
    ),
    ...length,
    `connection.endheaders(${body === undefined ? "" : "body"})`,
    "response = connection.getresponse()",
    "print(response.status, response.reason)",
    "for name, value in response.getheaders():",
    `    print(f"{name}: {value}")`,
    "print()",
    `print(response.read().decode(errors="replace"))`,
    "",
  ].join("\n");
}
