/**
 * What the topics of `conformance/` are written with: proxies and targets, requests and answers, and rows.
 * @module
 */
export * from "./answers.ts";
export * from "./arg.ts";
export * from "./capabilities.ts";
export * from "./client.ts";
export * from "./exceptions.ts";
export * from "./expect.ts";
export * from "./forwarding-exceptions.ts";
export * from "./http.ts";
export * from "./link.ts";
export * from "./pool.ts";
export * from "./proxy.ts";
export * from "./rows.ts";
export * from "./upstream.ts";
export * from "./wait.ts";
export * from "./ways.ts";
export * from "./websocket.ts";
