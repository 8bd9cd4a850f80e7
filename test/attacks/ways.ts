/**
 * The ways in which a page asks the proxy for what it must not have. Each runs in the page.
 * @module
 */
import { typedRows } from "../support/rows.ts";

/** Where the page is: the proxy's port; and the origin that it wants to read. */
export interface Place {
  port: number;
  service: string;
}

/** Gives the text that the page got, or how it failed. */
export interface Way {
  way: string;
  read(place: Place): Promise<string>;
}

/** What ends with a text that the page has; none of these may reach the service. */
export const READING: readonly Way[] = typedRows<Way>(["way", "read"], [
  ["fetch of ?url=", ({ service }) => fetch(`/__proxy__/?url=${service}/`).then((a) => a.text(), String)],
  [
    "POST to ?url=",
    ({ service }) =>
      fetch(`/__proxy__/?url=${service}/`, { method: "POST", body: "b" }).then((a) => a.text(), String),
  ],
  [
    "fetch of at",
    ({ service }) =>
      fetch(`/__proxy__/at/${service.slice(7).replaceAll(/[.:]/g, "-")}/`).then((a) => a.text(), String),
  ],
  [
    "POST to at",
    ({ service }) =>
      fetch(`/__proxy__/at/${service.slice(7).replaceAll(/[.:]/g, "-")}/`, { method: "POST", body: "b" })
        .then((a) => a.text(), String),
  ],
  [
    "fetch of an arg",
    ({ service }) =>
      fetch(`/__proxy__/fetch?arg=${btoa(JSON.stringify({ url: service }))}`).then((a) => a.text(), String),
  ],
  [
    "POST of an arg",
    ({ service }) =>
      fetch("/__proxy__/fetch", { method: "POST", body: JSON.stringify({ url: service }) }).then(
        (a) => a.text(),
        String,
      ),
  ],
  [
    "the console's own path",
    ({ service }) =>
      fetch("/__proxy__/send", { method: "POST", body: JSON.stringify({ url: service }) }).then(
        (a) => a.text(),
        String,
      ),
  ],
  [
    "header proxy_host",
    ({ service }) => fetch("/x", { headers: { proxy_host: service } }).then((a) => a.text(), String),
  ],
  [
    "fetch without cookies and referrer",
    ({ service }) =>
      fetch(`/__proxy__/?url=${service}/`, { credentials: "omit", referrerPolicy: "no-referrer" })
        .then((a) => a.text(), String),
  ],
  [
    "fetch with the console as referrer",
    ({ service }) =>
      fetch(`/__proxy__/?url=${service}/`, { credentials: "omit", referrer: "/__proxy__/" }).then(
        (a) => a.text(),
        String,
      ),
  ],
  [
    "another name of the proxy",
    ({ port, service }) =>
      fetch(`http://127.0.0.1:${port}/__proxy__/?url=${service}/`).then((a) => a.text(), String),
  ],
  [
    "any name of this machine",
    ({ port, service }) =>
      fetch(`http://any.localhost:${port}/__proxy__/?url=${service}/`).then((a) => a.text(), String),
  ],
  [
    "the plain name of the proxy",
    ({ port, service }) =>
      fetch(`http://localhost:${port}/__proxy__/?url=${service}/`).then((a) => a.text(), String),
  ],
  ["a sandboxed frame", ({ port, service }) =>
    new Promise((resolve) => {
      const address = `http://localhost:${port}/__proxy__/?url=${service}/`;
      const frame = document.createElement("iframe");
      frame.sandbox.value = "allow-scripts";
      frame.srcdoc =
        `<script>fetch("${address}").then((a) => a.text(), String).then((text) => parent.postMessage(text, "*"))</script>`;
      onmessage = ({ data }) => resolve(data);
      document.body.append(frame);
    })],
  ["XMLHttpRequest", ({ service }) =>
    new Promise((resolve) => {
      const request = new XMLHttpRequest();
      request.onloadend = () => resolve(request.responseText);
      request.open("GET", `/__proxy__/?url=${service}/`);
      request.send();
    })],
  ["a worker", ({ port, service }) =>
    new Promise((resolve) => {
      const address = `http://localhost:${port}/__proxy__/?url=${service}/`;
      const script = `fetch("${address}").then((a) => a.text(), String).then(postMessage)`;
      new Worker(URL.createObjectURL(new Blob([script]))).onmessage = ({ data }) => resolve(data);
    })],
  ["EventSource", ({ service }) =>
    new Promise((resolve) => {
      new EventSource(`/__proxy__/?url=${service}/`).onerror = () => resolve("no stream");
    })],
  ["WebSocket", ({ port, service }) =>
    new Promise((resolve) => {
      const socket = new WebSocket(`ws://localhost:${port}/__proxy__/?url=${service.replace("http", "ws")}/`);
      socket.onclose = () => resolve("closed");
    })],
]);

/** What pages may ask for anywhere, as on the open web; they must get nothing out of it. */
export const SHOWING: readonly Way[] = typedRows<Way>(["way", "read"], [
  ["a frame", ({ service }) =>
    new Promise((resolve) => {
      const frame = document.createElement("iframe");
      frame.onload = () => resolve(frame.contentDocument?.body.textContent ?? "closed to this page");
      frame.src = `/__proxy__/?url=${service}/`;
      document.body.append(frame);
    })],
  ["a frame of at", ({ service }) =>
    new Promise((resolve) => {
      const frame = document.createElement("iframe");
      frame.onload = () => resolve(frame.contentDocument?.body.textContent ?? "closed to this page");
      frame.src = `/__proxy__/at/${service.slice(7).replaceAll(/[.:]/g, "-")}/`;
      document.body.append(frame);
    })],
  ["a frame of an arg", ({ service }) =>
    new Promise((resolve) => {
      const frame = document.createElement("iframe");
      frame.onload = () => resolve(frame.contentDocument?.body.textContent ?? "closed to this page");
      frame.src = `/__proxy__/fetch?arg=${btoa(JSON.stringify({ url: service }))}`;
      document.body.append(frame);
    })],
  [
    "a label of the proxy",
    ({ port }) => fetch(`http://127-0-0-1-3000.w.localhost:${port}/`).then((a) => a.text(), String),
  ],
  ["a window", ({ service }) =>
    new Promise((resolve) => {
      const opened = open(`/__proxy__/?url=${service}/`);
      const look = () => {
        try {
          return opened?.document.body.textContent ?? "no window";
        } catch (error) {
          return String(error);
        }
      };
      setTimeout(() => resolve(look()), 500);
    })],
  ["a script", ({ service }) =>
    new Promise((resolve) => {
      const script = document.createElement("script");
      script.onload = script.onerror = () => resolve(String((globalThis as { stolen?: string }).stolen));
      script.src = `/__proxy__/?url=${service}/data.js`;
      document.body.append(script);
    })],
]);

/** Reads an image's width: `0` where it did not load. */
export function readWidth({ service }: Place): Promise<number> {
  return new Promise((resolve) => {
    const image = new Image();
    image.onload = image.onerror = () => resolve(image.naturalWidth);
    image.src = `/__proxy__/?url=${service}/picture`;
  });
}
