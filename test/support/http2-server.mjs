/**
 * A program that mounts the middleware in a server of HTTP/2 and in one of HTTP/1.1, and prints their ports. Node (20) runs no
 * TypeScript.
 * @module
 */
import { createServer as createHttp } from "node:http";
import { createServer as createHttp2 } from "node:http2";

const { fetchvia } = await import(process.env.MODULE);
const api = fetchvia(JSON.parse(process.env.OPTIONS));
const answer = (incoming, outgoing) => api(incoming, outgoing, () => outgoing.end("next"));
const servers = [createHttp2(answer), createHttp(answer)];
await Promise.all(servers.map((server) => new Promise((done) => server.listen(0, "127.0.0.1", done))));
console.log(JSON.stringify(servers.map((server) => server.address().port)));
