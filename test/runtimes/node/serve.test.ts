/** Our own server on Node: callers that come at once, and those who keep its process. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { expect, it, vi } from "vitest";
import { readConfig } from "../../../src/core/settings/config.ts";
import { listen } from "../../../src/runtimes/node/serve.ts";
import { reply } from "../../support/answers.ts";
import { CERT_FILE, KEY_FILE } from "../../support/certificate.ts";
import { open, request } from "../../support/client.ts";
import { listen as listenUpstream } from "../../support/upstream.ts";

it("accepts all that wait before it goes on with a request: Node accepts one in each turn", async () => {
  // On a slow machine 10 ms end before all are accepted.
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  const upstream = await listenUpstream();
  const proxy = await listen(readConfig({ HOST: "127.0.0.1", PORT: "0", LOG: "off" }));
  let accepted = 0;
  const note = (message: unknown) => {
    accepted += Number((message as { socket: Socket }).socket.localPort === proxy.port);
  };
  subscribe("net.server.socket", note);
  const acceptedAt: number[] = [];
  upstream.answer = (...given) => {
    acceptedAt.push(accepted);
    return reply(200)(...given);
  };
  const callers = await Promise.all(Array.from({ length: 100 }, () => open(proxy.port)));
  for (const [at, caller] of callers.entries()) {
    caller.write(request("GET", `/${at}`, { Host: "localhost", proxy_host: upstream.origin }));
  }
  const answers = await Promise.all(callers.map((caller) => caller.answer()));
  unsubscribe("net.server.socket", note);
  clock.mockRestore();
  for (const caller of callers) caller.end();
  await Promise.all([proxy.drain(), upstream.close()]);
  expect(answers.map(({ status }) => status)).toEqual(callers.map(() => 200));
  expect(acceptedAt).toEqual(callers.map(() => 100));
});

it("is kept running by callers whose TLS handshake is over, and by no others", async () => {
  const settings = { HOST: "127.0.0.1", PORT: "0", LOG: "off", TLS_CERT: CERT_FILE, TLS_KEY: KEY_FILE };
  const proxy = await listen(readConfig(settings));
  const handles: { hasRef(): boolean }[] = [];
  const note = (message: unknown) => {
    const { socket } = message as { socket: Socket & { _handle: { hasRef(): boolean } } };
    handles.push(...(socket.localPort === proxy.port ? [socket._handle] : []));
  };
  subscribe("net.server.socket", note);
  const callers = [await open(proxy.port), await open(proxy.port, { tls: true })];
  await vi.waitFor(() => expect(handles.map((handle) => handle.hasRef())).toEqual([false, true]));
  unsubscribe("net.server.socket", note);
  for (const caller of callers) caller.destroy();
  await proxy.drain();
});
