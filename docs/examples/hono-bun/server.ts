import { Hono } from "hono";
import { getConnInfo } from "hono/bun";
import { createProxy } from "fetchvia";
import { runtime } from "fetchvia/bun";

const proxy = createProxy({ mountPath: "/proxy", allowTargets: ["api.example.com"] });

const app = new Hono();
app.get("/", (c) => c.text("the application"));
app.all("/proxy/*", (c) => {
  const clientAddress = getConnInfo(c).remote.address;
  return proxy.handle(c.req.raw, { ...runtime, clientAddress });
});

// By default Bun cuts a response that pauses for 10 seconds.
export default { port: 3000, idleTimeout: 0, fetch: app.fetch };
