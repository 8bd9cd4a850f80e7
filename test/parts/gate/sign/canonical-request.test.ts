import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Fields } from "../../../../src/core/http/fields.ts";
import { AwsSigner } from "../../../../src/parts/gate/sign/aws-signer.ts";
import { isS3, toHex, writeCanonical } from "../../../../src/parts/gate/sign/canonical-request.ts";
import { VECTOR_KEYS, VECTOR_TIME, VECTORS } from "../../../support/sigv4-vectors.ts";
import { rowsOf } from "../../../support/rows.ts";

const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** The text with one character for each byte. */
function bytesOf(text: string): string {
  return Buffer.from(text).toString("latin1");
}

describe("the vectors of AWS", () => {
  it.each(VECTORS)("$name", async ({ name, method, path, fields, body, signature }) => {
    const headers = new Fields([["host", "example.amazonaws.com"], ["x-amz-date", VECTOR_TIME], ...fields]);
    const hash = createHash("sha256").update(body).digest("hex");
    const service = name.endsWith("unnormalized") ? "s3" : "service";
    const canonical = writeCanonical({ method, path: bytesOf(path), headers }, service, hash, /./);
    const { key } = VECTOR_KEYS;
    expect(await new AwsSigner(VECTOR_KEYS).authorize(canonical, VECTOR_TIME)).toBe(
      `AWS4-HMAC-SHA256 Credential=${key}/20150830/us-east-1/service/aws4_request, ` +
        `SignedHeaders=${canonical.names}, Signature=${signature}`,
    );
  });

  // https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
  const S3_KEYS = {
    region: "us-east-1",
    service: "s3",
    key: "AKIAIOSFODNN7EXAMPLE",
    secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  };
  it.each(rowsOf(["line", "signature", "fields", "hash"], [
    ["GET /test.txt", "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41", {
      range: "bytes=0-9",
    }],
    [
      "PUT /test$file.text",
      "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
      { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
      "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
    ],
    ["GET /?lifecycle", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"],
    ["GET /?max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"],
  ]))("of S3: $line", async ({ line, fields = {}, hash = EMPTY, signature }) => {
    const [method = "", path = ""] = line.split(" ");
    const headers = new Fields([
      ["host", "examplebucket.s3.amazonaws.com"],
      ["x-amz-content-sha256", hash],
      ["x-amz-date", "20130524T000000Z"],
      ...Object.entries(fields as Record<string, string>),
    ]);
    const canonical = writeCanonical({ method, path, headers }, "s3", hash, /./);
    const authorization = await new AwsSigner(S3_KEYS).authorize(canonical, "20130524T000000Z");
    expect(authorization.split("Signature=")[1]).toBe(signature);
  });
});

describe("the canonical request", () => {
  const write = (path: string, fields: [string, string][] = [], service = "sts") =>
    writeCanonical({ method: "GET", path, headers: new Fields(fields) }, service, "h").text.split("\n");

  it.each(rowsOf(["path", "sts", "s3"], [
    ["/", "/", "/"],
    ["/a%20b", "/a%2520b", "/a%20b"],
    ["/a+b", "/a%2Bb", "/a%2Bb"],
    ["/a%2Fb", "/a%252Fb", "/a/b"],
    ["/a%c3%bc~", "/a%25c3%25bc~", "/a%C3%BC~"],
    ["/(a):@!$&'*,;=", "/%28a%29%3A%40%21%24%26%27%2A%2C%3B%3D", "/%28a%29%3A%40%21%24%26%27%2A%2C%3B%3D"],
    ["/a//b/../c/.", "/a/c", "/a//b/../c/."],
    ["/../..", "/", "/../.."],
    ["/%zz%", "/%25zz%25", "/%25zz%25"],
  ]))("has the path $path as $sts, for S3 as $s3", ({ path, sts, s3 }) => {
    expect([write(path)[1], write(path, [], "s3")[1]]).toEqual([sts, s3]);
  });

  it.each([
    { query: "", sorted: "" },
    { query: "b=2&a=1", sorted: "a=1&b=2" },
    { query: "a-b=1&a=2&a=1&A", sorted: "A=&a=1&a=2&a-b=1" },
    { query: "&a&&b=c=d&", sorted: "a=&b=c%3Dd" },
    { query: "a=x+y&b=%2f%7E/?", sorted: "a=x%20y&b=%2F~%2F%3F" },
    { query: "a=%zz&%c3%bc=(1)", sorted: "%C3%BC=%281%29&a=%25zz" },
  ])("has the query $query as $sorted", ({ query, sorted }) => expect(write(`/?${query}`)[2]).toBe(sorted));

  it("signs Host, Content-Type and the fields of AWS, and nothing that a proxy may change", () => {
    const fields: [string, string][] = [
      ...[
        "via",
        "x-forwarded-for",
        "connection",
        "cdn-loop",
        "user-agent",
        "accept-encoding",
        "x-amzn-trace-id",
      ]
        .map((name): [string, string] => [name, "1"]),
      ["x-amz-meta-a-b", "1"],
      ["x-amz-meta-a", " a \t  b "],
      ["host", "a.test"],
      ["content-type", "text/plain"],
      ["x-amz-meta-a", "c"],
    ];
    expect(write("/", fields).slice(3)).toEqual([
      "content-type:text/plain",
      "host:a.test",
      "x-amz-meta-a:a b,c",
      "x-amz-meta-a-b:1",
      "",
      "content-type;host;x-amz-meta-a;x-amz-meta-a-b",
      "h",
    ]);
  });

  it("takes no byte of UTF-8 for a blank", () =>
    expect(write("/", [["x-amz-meta-a", bytesOf("à")]])[3]).toBe(`x-amz-meta-a:${bytesOf("à")}`));
});

it.each([["s3", true], ["s3express", true], ["s3-outposts", true], ["s3tables", false], ["sts", false]])(
  "tells that %s takes requests as S3 does: %s",
  (service, expected) => expect(isS3(service)).toBe(expected),
);

it("writes bytes in hexadecimal", () => expect(toHex([0, 10, 255])).toBe("000aff"));
