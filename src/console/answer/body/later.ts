/**
 * Lets the browser paint and answer its user before work goes on.
 * @module
 */

/** Milliseconds of work between two chances for the browser. */
export const SLICE_MS = 12;

/** Resolves after what the browser has to do; a timer would wait 4 ms each time, and 1 s in a tab behind others. */
export function later(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
