/**
 * Capture as a part: records whole requests while it is on. The console shows them.
 * @module
 */

import type { Host, Part } from "../../core/part.ts";
import type { Config } from "../../core/settings/config.ts";
import type { SharedCaptures } from "./capture-share.ts";

/** The capture part, with what the console needs to show captures. */
export interface CapturePart extends Part {
  /** The captures of all processes; loaded with the first call. */
  load(): Promise<SharedCaptures>;
  /** Notes whether a console is open that captures by being open. */
  watch(isWatched: boolean): void;
}

/** Makes the part. Nothing is loaded until capture is on or asked for. */
export function makeCapture(config: Config, { lent, hooks }: Host): CapturePart {
  let shared: SharedCaptures | undefined;
  let isWatched = false;
  const load = async () => {
    const { shareCaptures } = await import("./capture-share.ts");
    shared ??= shareCaptures(config, lent);
    shared.own.isWatched = isWatched;
    return shared;
  };
  // Processes that share a proxy answer each other from the start.
  const isNow = (config.capture !== "off" && config.capture !== "console") || lent.shareCapture !== undefined;
  return {
    name: "capture",
    load,
    watch(isWanted) {
      isWatched = isWanted;
      if (shared) shared.own.isWatched = isWanted;
    },
    ...isNow && { prepare: load },
    arrive: (record, incoming, path, runtime) =>
      shared?.own.begin(record, { incoming, path, runtime }, hooks().secrets),
    aim: (record) => record.capture?.aim(),
    end: (record) => shared?.own.end(record),
  };
}
