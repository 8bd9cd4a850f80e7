/**
 * What the target of the scenes answers, by path.
 * @module
 */
import { gzipSync } from "node:zlib";
import { chunked, delayed, reply, routes, silence } from "../../test/support/answers.ts";
import type { Handler } from "../../test/support/upstream.ts";

const JSON_TYPE = { "Content-Type": "application/json" };
const ITEM = '{"id":12345678901234567890,"price":1.0,"price":1e2,"tags":["a","b"],"note":null}';
const FIELDS = Object.fromEntries(
  Array.from({ length: 65 }, (_, index) => [`X-Field-${index}`, `value ${index}`]),
);
const EVENTS = Array.from(
  { length: 40 },
  (_, index) => `id: ${index}\nevent: tick\ndata: line ${index}\n\n`,
);

/** A page as people write them: nothing of it may load in the preview. */
const ORDINARY = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<link rel="stylesheet" href="/a.css"><link rel="icon" href="/favicon.ico"><script src="/app.js"></script>
<style>@import "theme.css"; body { background: url(/b.png) }</style></head><body onload="start()">
<img src="/logo.png" alt="Logo"><video src="/v.mp4" poster="/p.jpg"></video><iframe src="/frame"></iframe>
<a href="javascript:void(0)" onclick="go()">Go</a><p style="color:green">Ordinary</p></body></html>`;

/** Bytes of the text of short lines: more than the page keeps. */
const LINES_BYTES = 20_000_000;

/** What the target answers. */
export function answerAll(): Handler {
  const html = { "Content-Type": "text/html" };
  return routes({
    "/": reply(200, html, "<!doctype html><title>Shop</title><h1>The shop</h1>"),
    "/order": reply(201, JSON_TYPE, '{"id":12345678901234567890,"item":"teapot"}'),
    "/item": reply(200, JSON_TYPE, ITEM),
    "/lines": reply(200, { "Content-Type": "text/plain" }, "a short line\n".repeat(LINES_BYTES / 13)),
    "/large": reply(200, JSON_TYPE, `[${Array(57_000).fill(ITEM).join(",")}]`),
    "/gzip": reply(200, { ...JSON_TYPE, "Content-Encoding": "gzip" }, gzipSync(`["${"a".repeat(5_000)}"]`)),
    "/fields": reply(200, FIELDS, "many"),
    "/cookie": reply(
      200,
      { "Set-Cookie": "sid=1; Path=/", "Referrer-Policy": "no-referrer" },
      "cookie",
    ),
    "/report": reply(
      200,
      {
        "Content-Type": "text/csv",
        "Content-Disposition": "attachment; filename=\"a.csv\"; filename*=UTF-8''K%C3%B6ln.csv",
      },
      "a,b\n1,2\n",
    ),
    "/late": delayed(2_500, reply(200, {}, "late")),
    "/events": chunked(200, { "Content-Type": "text/event-stream" }, EVENTS, 100),
    "/ordinary": reply(200, html, ORDINARY),
    "/silent": silence,
  });
}
