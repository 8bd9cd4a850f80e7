/**
 * Checks a file against HAR 1.2, member by member.
 * @module
 * @see http://www.softwareishard.com/blog/har-12-spec/
 */

type Check = (value: unknown) => string[];

const fail = (what: string, value: unknown) => [`: ${JSON.stringify(value)} is no ${what}`];
const isText: Check = (value) => (typeof value === "string" ? [] : fail("string", value));
const isWhole: Check = (value) => (Number.isInteger(value) ? [] : fail("integer", value));
const isFlag: Check = (value) => (typeof value === "boolean" ? [] : fail("boolean", value));
const isDate: Check = (value) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value)
    ? []
    : fail("ISO 8601 date", value);
const isTime: Check = (value) => (typeof value === "number" && value >= 0 ? [] : fail("time", value));
const isTimeOrNone: Check = (value) => (value === -1 ? [] : isTime(value));
const isUrl: Check = (value) => (typeof value === "string" && URL.canParse(value) ? [] : fail("URL", value));
const isOneOf =
  (...all: string[]): Check => (value) => (all.includes(value as string) ? [] : fail(all.join("|"), value));

/** An object with these members, those with `?` optional. All others must begin with `_`. */
function shape(members: Record<string, Check>): Check {
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return fail("object", value);
    const found = value as Record<string, unknown>;
    const faults = Object.entries(members).flatMap(([key, check]) => {
      const name = key.replace("?", "");
      if (found[name] === undefined) return key.endsWith("?") ? [] : [`.${name}: is missing`];
      return check(found[name]).map((fault) => `.${name}${fault}`);
    });
    const others = Object.keys(found).filter((name) =>
      !name.startsWith("_") && !(name in members) && !(`${name}?` in members)
    );
    return [...faults, ...others.map((name) => `.${name}: is unknown`)];
  };
}

const list = (check: Check): Check => (value) =>
  Array.isArray(value)
    ? value.flatMap((item, index) => check(item).map((fault) => `[${index}]${fault}`))
    : fail("array", value);

const PAIRS = list(shape({ name: isText, value: isText, "comment?": isText }));
const COOKIES = list(shape({
  "name": isText,
  "value": isText,
  "path?": isText,
  "domain?": isText,
  "expires?": isDate,
  "httpOnly?": isFlag,
  "secure?": isFlag,
  "comment?": isText,
  // Not in the text of 1.2, but written by Chromium and Playwright.
  "sameSite?": isText,
}));

const ENTRY = shape({
  "pageref?": isText,
  "startedDateTime": isDate,
  "time": isTime,
  "request": shape({
    "method": isText,
    "url": isUrl,
    "httpVersion": isText,
    "cookies": COOKIES,
    "headers": PAIRS,
    "queryString": PAIRS,
    "postData?": shape({
      "mimeType": isText,
      "params": PAIRS,
      "text": isText,
      "comment?": isText,
      // Read by Playwright.
      "encoding?": isOneOf("base64"),
    }),
    "headersSize": isWhole,
    "bodySize": isWhole,
    "comment?": isText,
  }),
  "response": shape({
    "status": isWhole,
    "statusText": isText,
    "httpVersion": isText,
    "cookies": COOKIES,
    "headers": PAIRS,
    "content": shape({
      "size": isWhole,
      "compression?": isWhole,
      "mimeType": isText,
      "text?": isText,
      "encoding?": isOneOf("base64"),
      "comment?": isText,
    }),
    "redirectURL": isText,
    "headersSize": isWhole,
    "bodySize": isWhole,
    "comment?": isText,
  }),
  "cache": shape({}),
  "timings": shape({
    "blocked?": isTimeOrNone,
    "dns?": isTimeOrNone,
    "connect?": isTimeOrNone,
    "send": isTime,
    "wait": isTime,
    "receive": isTime,
    "ssl?": isTimeOrNone,
    "comment?": isText,
  }),
  "serverIPAddress?": isText,
  "connection?": isText,
  "comment?": isText,
});

const FILE = shape({
  log: shape({
    "version": isOneOf("1.2"),
    "creator": shape({ "name": isText, "version": isText, "comment?": isText }),
    "browser?": shape({ "name": isText, "version": isText, "comment?": isText }),
    "pages?": list(shape({})),
    "entries": list(ENTRY),
    "comment?": isText,
  }),
});

/** What in the file is not as HAR 1.2 says; empty if it is right. */
export function checkHar(file: unknown): string[] {
  return FILE(file);
}
