/**
 * The console as a part: its page and files, live traffic, captures, and what the page sends.
 * @module
 */

import type { Host, Part } from "../../core/part.ts";
import type { CapturePart } from "../capture/part.ts";
import { Traffic } from "./traffic.ts";
import { UsedPasses } from "./used-passes.ts";

/** Makes the part. Its pages are loaded with the first request for one. */
export function makeConsole({ lent: { open, shareTraffic }, ticket }: Host, capture: CapturePart): Part {
  const traffic = new Traffic(ticket, shareTraffic, open, (isWatched) => capture.watch(isWatched));
  const usedPasses = new UsedPasses();
  return {
    name: "console",
    begin: (record) => traffic.open?.add(record),
    aim: (record, method, target) => traffic.aim(record, method, target),
    async open(path, exchange, steps) {
      const { openConsole } = await import("./pages.ts");
      return openConsole(path, exchange, { traffic, usedPasses, capture, forward: steps.forward });
    },
    end: (record) => traffic.note(record),
    close: () => traffic.close(),
  };
}
