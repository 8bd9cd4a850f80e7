/**
 * The least that a scripted proxy can do, as programs: the server of the runtime in front of kept connections to the target.
 * They check nothing, log nothing, know one target, and treat each read of a response without a length as one chunk. A
 * proxy that reads the responses itself costs hardly less, except on Node, where it may read more than 64 KiB at a time.
 * @module
 */

/** Code that all programs share. Bodies of up to `SMALL` bytes are returned in one piece. */
const SHARED = `const { host, hostname, port: targetPort, protocol } = new URL(process.env.TARGET);
const isSecure = protocol === "https:";
const port = Number(process.env.PORT);
const SMALL = 65_536;
const idle = [];
const headOf = (method, path, length) =>
  method + " " + path + " HTTP/1.1\\r\\nHost: " + host + "\\r\\n" + (length ? "Content-Length: " + length + "\\r\\n" : "") + "\\r\\n";
const pathOf = (url) => url.slice(url.indexOf("/", 8));
const lengthField = (length) => length < Infinity ? { "content-length": String(length) } : {};
/** Reads an answer: calls \`begin\` with the length of its body, and \`take\` with each piece; true for the last. */
const reader = (begin, take) => {
  let left;
  return (bytes) => {
    if (left === undefined) {
      const end = bytes.indexOf("\\r\\n\\r\\n");
      left = Number(/content-length: (\\d+)/i.exec(bytes.toString("latin1", 0, end))?.[1] ?? Infinity);
      begin(left);
      bytes = bytes.subarray(end + 4);
    }
    if (left === Infinity) bytes = bytes.subarray(bytes.indexOf(10) + 1, -2);
    left -= bytes.length;
    take(bytes, left === 0);
  };
};
`;

/** On Deno and Node: connections of \`node:net\`. */
const NET = `import { Buffer } from "node:buffer";
import net from "node:net";
import process from "node:process";
import tls from "node:tls";
${SHARED}
const options = { host: hostname, port: Number(targetPort), servername: hostname };
const open = () => idle.pop() ?? (isSecure ? tls : net).connect(options).setNoDelay(true);
`;

const NODE = `import http from "node:http";
${NET}
http.createServer((request, response) => {
  const socket = open();
  const read = reader(
    (length) => response.writeHead(200, lengthField(length)),
    (bytes, isLast) => {
      if (isLast) {
        socket.off("data", read).resume();
        idle.push(socket);
        response.end(bytes);
      } else if (bytes.length && !response.write(bytes)) socket.pause();
    },
  );
  response.on("drain", () => socket.resume());
  socket.on("data", read);
  socket.write(headOf(request.method, request.url, request.headers["content-length"]), "latin1");
  request.on("data", (chunk) => {
    if (socket.write(chunk)) return;
    request.pause();
    socket.once("drain", () => request.resume());
  });
}).listen(port, "127.0.0.1");
`;

const DENO = `${NET}
async function upload(body, socket) {
  const chunks = body.getReader({ mode: "byob" });
  for (let block = new ArrayBuffer(256 * 1024);;) {
    const { done, value } = await chunks.read(new Uint8Array(block));
    if (done) return;
    await new Promise((written) => socket.write(value, written));
    block = value.buffer;
  }
}
Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, (request) =>
  new Promise((resolve) => {
    const socket = open();
    const parts = [];
    let sink;
    const read = reader(
      (length) => {
        if (length <= SMALL) return;
        const source = {
          start: (controller) => (sink = controller),
          pull: () => void socket.resume(),
          cancel: () => void socket.destroy(),
        };
        const stream = new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: SMALL }));
        resolve(new Response(stream, { headers: lengthField(length) }));
      },
      (bytes, isLast) => {
        if (!sink) parts.push(bytes);
        else if (bytes.length) sink.enqueue(bytes);
        if (!isLast) return sink && sink.desiredSize <= 0 ? socket.pause() : undefined;
        socket.off("data", read).resume();
        idle.push(socket);
        if (sink) sink.close();
        else resolve(new Response(Buffer.concat(parts)));
      },
    );
    socket.on("data", read);
    const length = request.headers.get("content-length");
    socket.write(headOf(request.method, pathOf(request.url), length), "latin1");
    if (length) void upload(request.body, socket).catch(() => socket.destroy());
  }));
`;

const BUN = `${SHARED}
const socket = {
  binaryType: "buffer",
  open() {},
  close() {},
  error() {},
  data: ({ data }, bytes) => data.read?.(bytes),
  drain: ({ data }) => data.drained?.(),
  handshake: ({ data }) => data.secured(),
};
async function connect() {
  const data = {};
  const secured = new Promise((done) => (data.secured = done));
  const target = await Bun.connect({ hostname, port: Number(targetPort), tls: isSecure, socket, data });
  if (isSecure) await secured;
  return target;
}
const open = async () => idle.pop() ?? await connect();
async function upload(body, target) {
  for await (const chunk of body) {
    for (let sent = target.write(chunk); sent < chunk.length; sent += target.write(chunk.subarray(sent))) {
      await new Promise((drained) => (target.data.drained = drained));
    }
  }
}
/** A body that goes straight to the caller's connection: its \`write\` gives a promise while that is full. */
function stream(target) {
  const waiting = [];
  const sink = { take: (...piece) => void waiting.push(piece) };
  const pull = (out) =>
    new Promise((done) => {
      sink.take = (bytes, isLast) => {
        const written = out.write(bytes);
        if (isLast) return void Promise.resolve(written).then(() => out.end()).then(done);
        if (typeof written === "number") return;
        target.pause();
        written.then(() => target.resume());
      };
      target.resume();
      for (const piece of waiting) sink.take(...piece);
    });
  return { sink, body: new ReadableStream({ type: "direct", pull }) };
}
async function forward(request) {
  const target = await open();
  const length = request.headers.get("content-length");
  return new Promise((resolve) => {
    const parts = [];
    let sink;
    target.data.read = reader(
      (size) => {
        if (size <= SMALL) return;
        const { sink: taker, body } = stream(target);
        sink = taker;
        target.pause();
        resolve(new Response(body, { headers: lengthField(size) }));
      },
      (bytes, isLast) => {
        if (isLast) {
          target.data.read = undefined;
          target.resume();
          idle.push(target);
        }
        if (sink) sink.take(bytes, isLast);
        else if (parts.push(bytes) && isLast) resolve(new Response(Buffer.concat(parts)));
      },
    );
    target.write(headOf(request.method, pathOf(request.url), length));
    if (length) void upload(request.body, target).catch(() => target.end());
  });
}
Bun.serve({ hostname: "127.0.0.1", port, idleTimeout: 0, development: false, fetch: forward });
`;

/** File name → program. Each listens on `PORT` and forwards everything to `TARGET`. */
export const FLOORS: Readonly<Record<string, string>> = {
  "floor-bun.mjs": BUN,
  "floor-deno.mjs": DENO,
  "floor-node.mjs": NODE,
};
