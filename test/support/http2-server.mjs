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
const servers = [createHttp2(answer), createHttp(answer), createHttp(createHandler(createProxy(options)))];
await Promise.all(servers.map((server) => new Promise((done) => server.listen(0, "127.0.0.1", done))));
console.log(JSON.stringify(servers.map((server) => server.address().port)));
