/**
 * Connects the list of live traffic, the inspector and HAR files. What they need is loaded after the first paint.
 * @module
 */

import type { PageFacts } from "../../parts/console/page-facts.ts";
import type { TrafficEntry } from "../../parts/console/traffic-message.ts";
import type { Draft } from "../builder/draft.ts";
import { draftRequest } from "../builder/fetch-argument.ts";
import type { ReadyRequest } from "../builder/compose-request.ts";
import { find } from "../page/dom.ts";
import type { OwnSends } from "../traffic/own-sends.ts";
import type { TrafficActions } from "../traffic/traffic-view.ts";
import type { InspectedEntry, InspectorContext } from "./context.ts";
import { readBase } from "../page/own-requests.ts";

/** What the inspector does with the rest of the page. */
export interface InspectionParts extends Pick<TrafficActions, "readHost" | "mayReload"> {
  facts: PageFacts;
  ownSends: OwnSends<ReadyRequest>;
  /** Puts a request into the builder; `problem` says what is missing in it, `masked` names its parts. */
  load(draft: Draft, problem?: string, masked?: string[]): void;
  replay(draft: Draft): void;
}

/** Opens live traffic. It is loaded by itself, so it does not delay the first paint. */
export function openInspection(parts: InspectionParts): void {
  const { facts } = parts;
  const list = import("../after-paint.ts");
  void list.then(({ openTraffic }) =>
    openTraffic(facts, {
      select: (entry) => void inspect(entry, parts),
      readHost: parts.readHost,
      mayReload: parts.mayReload,
    })
  );
  if (facts.ticket !== null) {
    openHarFiles((entries) => void list.then(({ addEntries }) => addEntries(entries)));
  }
}

async function inspect(entry: InspectedEntry | undefined, parts: InspectionParts): Promise<void> {
  if (!entry && find("inspector").hidden) return;
  const { hideEntry, maskAddress, showEntry } = await import("../after-paint.ts");
  if (!entry) return hideEntry();
  const { facts, ownSends, load, replay } = parts;
  // As it was captured: redirects are shown.
  const draft = (request: Parameters<typeof draftRequest>[0]) => ({
    ...draftRequest(request),
    follow: false,
  });
  const context: InspectorContext = {
    ticket: facts.ticket,
    base: readBase(location),
    needsToken: facts.needsToken,
    load: (request, problem, masked) => load(draft(request), problem, masked),
    replay: (request) => replay(draft(request)),
    findOwn(row) {
      const own = ownSends.find(row, maskAddress);
      // What holds files can be read again by the builder alone.
      if (!own || own.body instanceof Blob) return undefined;
      const { method, url, headers, body } = own;
      return { method, url, headers, ...(body !== undefined && { body }) };
    },
  };
  await showEntry(entry, context);
}

/** Opens HAR files; dropping one on the list opens it too. */
function openHarFiles(add: (entries: readonly TrafficEntry[]) => void): void {
  const open = async (file: File | undefined) => {
    if (!file) return;
    const { openHar } = await import("../after-paint.ts");
    const { entries, text } = await openHar(file);
    add(entries);
    find("har-said").textContent = text;
  };
  const input = find<HTMLInputElement>("har-file");
  find("har-open").addEventListener("click", () => input.click());
  input.addEventListener("change", () => void open(input.files?.[0]).then(() => (input.value = "")));
  const place = find("traffic");
  place.addEventListener("dragover", (event) => event.preventDefault());
  place.addEventListener("drop", (event) => {
    event.preventDefault();
    void open(event.dataTransfer?.files[0]);
  });
}
