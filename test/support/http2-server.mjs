/**
 * A program that mounts the middleware in a server of HTTP/2 and in one of HTTP/1.1, makes a listener of a proxy, and prints the
 * ports. Node (20) runs no TypeScript.
 * @module
 */
import { createServer as createHttp } from "node:http";
import { createServer as createHttp2 } from "node:http2";

const { DIST, OPTIONS } = process.env;
const [{ fetchvia }, { createHandler }, { createProxy }] = await Promise.all(
  ["runtimes/node/connect.js", "runtimes/node.js", "index.js"].map((path) => import(`${DIST}/${path}`)),
);
const options = JSON.parse(OPTIONS);
const api = fetchvia({ ...options, prefix: "/api" });
const answer = (incoming, outgoing) => api(incoming, outgoing, () => outgoing.end("next"));

/** What `on-headers` 1.0.2 makes of a list of fields, and `compression` of a body: it waits for `flush`. */
function wrap(incoming, outgoing) {
  const { writeHead, write, end } = outgoing;
  let held = "";
  outgoing.writeHead = (status, ...rest) => {
    const [fields = []] = rest.filter(Array.isArray);
    for (const [name, value] of fields) outgoing.setHeader(name, value);
    outgoing.removeHeader("content-length");
    outgoing.setHeader("set-cookie", [outgoing.getHeader("set-cookie"), "own=1"].flat());
    return writeHead.call(outgoing, status);
  };
  outgoing.write = (chunk) => {
    held += Buffer.from(chunk).toString().toUpperCase();
    return true;
  };
  outgoing.flush = () => {
    write.call(outgoing, held);
    held = "";
  };
  outgoing.end = (last = "") => {
    outgoing.write(last);
    outgoing.flush();
    return end.call(outgoing);
  };
  return answer(incoming, outgoing);
}

const servers = [
  createHttp2(answer),
  createHttp(answer).on("upgrade", api.upgrade),
  createHttp(createHandler(createProxy(options))),
  createHttp2(wrap),
  createHttp(wrap),
];
await Promise.all(servers.map((server) => new Promise((done) => server.listen(0, "127.0.0.1", done))));
console.log(JSON.stringify(servers.map((server) => server.address().port)));
