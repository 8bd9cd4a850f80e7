/**
 * The test vectors of AWS Signature Version 4, by AWS: `aws-signing-test-suite/v4` of github.com/awslabs/aws-c-auth at
 * 495329c2433034bd8fd53fc6ba9e0202d3fac876. Copyright Amazon.com, Inc. or its affiliates; Apache-2.0.
 *
 * Each vector: its name and signature, the request line, the fields beside Host, and the body after a `:`. Names that end in
 * `unnormalized` are for services that take paths as they are.
 * @module
 */

/** What all vectors have in common. */
export const VECTOR_KEYS = {
  region: "us-east-1",
  service: "service",
  key: "AKIDEXAMPLE",
  secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
};
export const VECTOR_TIME = "20150830T123600Z";

const TEXT = `get-header-key-duplicate c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea
GET /
My-Header1:value2
My-Header1:value2
My-Header1:value1

get-header-value-multiline cfd34249e4b1c8d6b91ef74165d41a32e5fab3306300901bb65a51a73575eefd
GET /
My-Header1:value1 value2 value3

get-header-value-order 08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01
GET /
My-Header1:value4
My-Header1:value1
My-Header1:value3
My-Header1:value2

get-header-value-trim acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736
GET /
My-Header1: value1
My-Header2: "a   b   c"

get-relative-normalized 5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31
GET /example/..

get-relative-relative-normalized 5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31
GET /example1/example2/../..

get-relative-relative-unnormalized dc33e0856fd4baca4d7aa2146c38958283844764f38c74252a333df5e613003b
GET /example1/example2/../..

get-relative-unnormalized eca7ead57bb5aa5c8e28007acd4ff04e1ff9a0ff3b237ec1554a184887ff9282
GET /example/..

get-slash-dot-slash-normalized 5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31
GET /./

get-slash-dot-slash-unnormalized 68714168e6557f8f2de0ef956fc24dc2593a4bd2961f8df51898d8a134695145
GET /./

get-slash-normalized 5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31
GET //

get-slash-pointless-dot-normalized ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5
GET /./example

get-slash-pointless-dot-unnormalized beb03f223f7deae4146464f06e29eebbee9c8afbe15c290cf07aa8b119e14cff
GET /./example

get-slash-unnormalized c88bcd3d312d75078c0cd961d6deae3f4c754924b01669efcfcb439fd5e5b76e
GET //

get-slashes-normalized 9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84
GET //example//

get-slashes-unnormalized 87cca117541a147f6df867677d98a7d80dff226d2bfca9e4ffa899665623c7e5
GET //example//

get-space-normalized 652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741
GET /example space/

get-space-unnormalized 652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741
GET /example space/

get-unreserved 07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f
GET /-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz

get-utf8 8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85
GET /ሴ

get-vanilla 5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31
GET /

get-vanilla-empty-query-key a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb
GET /?Param1=value1

get-vanilla-query 5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31
GET /

get-vanilla-query-order-encoded 371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac
GET /?Param-3=Value3&Param=Value2&%E1%88%B4=Value1

get-vanilla-query-order-key-case b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500
GET /?Param2=value2&Param1=value1

get-vanilla-query-unreserved 9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197
GET /?-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz=-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz

get-vanilla-utf8-query 2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04
GET /?ሴ=bar

get-vanilla-with-session-token 07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8
GET /
X-Amz-Security-Token:6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267

post-header-key-case 5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b
POST /

post-header-key-sort c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c
POST /
My-Header1:value1

post-header-value-case cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d
POST /
My-Header1:VALUE1

post-sts-header-after 5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b
POST /

post-sts-header-before 85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead
POST /
X-Amz-Security-Token:AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==

post-vanilla 5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b
POST /

post-vanilla-empty-query-value 28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11
POST /?Param1=value1

post-vanilla-query 28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11
POST /?Param1=value1

post-x-www-form-urlencoded d3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b
POST /
Content-Type:application/x-www-form-urlencoded
Content-Length:13
X-Amz-Content-Sha256:9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e
:Param1=value1

post-x-www-form-urlencoded-parameters 328d1b9eaadca9f5818ef05e8392801e091653bafec24fcab71e7344e7f51422
POST /
Content-Type:application/x-www-form-urlencoded; charset=utf-8
Content-Length:13
X-Amz-Content-Sha256:9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e
:Param1=value1`;

/** One vector. */
export interface Vector {
  name: string;
  signature: string;
  method: string;
  path: string;
  fields: [name: string, value: string][];
  body: string;
}

export const VECTORS: readonly Vector[] = TEXT.split("\n\n").map((vector) => {
  const [first = "", line = "", ...rest] = vector.split("\n");
  const [name = "", signature = ""] = first.split(" ");
  const [, method = "", path = ""] = /^(\w+) (.*)$/.exec(line) ?? [];
  const fields = rest.filter((field) => !field.startsWith(":")).map((field): [string, string] => {
    const [, key = "", value = ""] = /^([^:]+):(.*)$/.exec(field) ?? [];
    return [key.toLowerCase(), value];
  });
  const body = rest.find((field) => field.startsWith(":"))?.slice(1) ?? "";
  return { name, signature, method, path, fields, body };
});
