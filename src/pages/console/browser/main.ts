/**
 * The console's script: connects host, builder, response and live traffic.
 * @module
 */

import type { FetchArgument } from "../../../client.ts";
import type { PageFacts } from "../facts.ts";
import type { TrafficEntry } from "../traffic.ts";
import { showAnswer, showFailure, showNothing, showProgress, showWaiting } from "./answer/answer-view.ts";
import { openBuilder } from "./builder/builder.ts";
import { decodePasted } from "./share/decode.ts";
import { find, say } from "./page/dom.ts";
import { openExplain } from "./explain/explain-view.ts";
import { openHostPanel } from "./host/host.ts";
import { OwnSends } from "./traffic/own-sends.ts";
import { readBase } from "./page/place.ts";
import { buildArgument, draftArgument } from "./builder/request.ts";
import { sendArgument } from "./builder/sending.ts";
import { listShares } from "./share/share.ts";
import { showShares } from "./share/share-view.ts";
import { openTheme } from "./page/theme.ts";

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

const facts: PageFacts = JSON.parse(
  document.querySelector<HTMLMetaElement>("meta[name=fetchvia]")?.content ?? "{}",
);
const context = { ...facts, base: readBase(location) };
const ownSends = new OwnSends();
let host = facts.host;
let sending: AbortController | undefined;
let round = 0;

const builder = openBuilder(() => void refresh(), () => void send());
openHostPanel(facts, (now) => {
  host = now;
  void refresh();
});
openDecoder();
openTheme();
openExplain(facts.ticket);
showNothing();
// Below the fold, so it does not delay the first paint.
void import("./traffic/traffic-view.ts").then(({ openTraffic }) =>
  openTraffic(facts.ticket, {
    open: openEntry,
    replay: replayEntry,
    canReplay,
    select: (entry) => void (find("inspector").hidden = entry === undefined),
  })
);

/** Updates the links and the code. */
async function refresh(): Promise<void> {
  const mine = round += 1;
  const draft = builder.read();
  const outcome = buildArgument(draft, host);
  find("builder-problem").textContent = draft.address.trim() === "" ? "" : outcome.problem ?? "";
  const shares = outcome.problem === undefined ? await listShares(outcome.argument, context) : [];
  if (mine === round) showShares(shares);
}

/** Sends the request in the builder, or stops the one in flight. */
async function send(): Promise<void> {
  if (sending) return sending.abort();
  const outcome = buildArgument(builder.read(), host);
  if (outcome.problem !== undefined) {
    showFailure(`Not sent: ${outcome.problem}`);
    return builder.present(outcome.problem);
  }
  await sendAway(outcome.argument);
}

async function sendAway(argument: FetchArgument): Promise<void> {
  const controller = sending = new AbortController();
  find("send").textContent = "Stop";
  showWaiting(argument, () => controller.abort());
  ownSends.add(argument);
  try {
    const received = await sendArgument(argument, facts.ticket, controller.signal, (part) => {
      if (sending === controller) showProgress(part);
    });
    if (sending === controller) showAnswer(received);
  } catch {
    const reason = controller.signal.aborted
      ? "Stopped before an answer came."
      : "The proxy does not answer; is it still running?";
    if (sending === controller) showFailure(reason);
  }
  // A replay may have started in the meantime.
  if (sending !== controller) return;
  sending = undefined;
  find("send").textContent = "Send";
}

function openDecoder(): void {
  find("decode").addEventListener("submit", (event) => {
    event.preventDefault();
    const decoded = decodePasted(find<HTMLInputElement>("decode-input").value, context);
    find("decode-result").textContent = decoded
      ? `${decoded.what}: it stands in the builder now.`
      : "This is no arg, no link of a proxy and no label.";
    if (decoded) builder.write(draftArgument(decoded.argument));
  });
}

/** The request of an entry: complete if this page sent it, otherwise method and address. */
function argumentOf(entry: TrafficEntry): FetchArgument {
  return ownSends.find(entry) ?? {
    url: entry.address ?? "",
    ...(entry.method !== "GET" && { method: entry.method }),
  };
}

function canReplay(entry: TrafficEntry): boolean {
  const isWhole = entry.address !== undefined && !entry.isPartial && SAFE.has(entry.method);
  return isWhole || ownSends.find(entry) !== undefined;
}

function openEntry(entry: TrafficEntry): void {
  const isOwn = ownSends.find(entry) !== undefined;
  builder.write(draftArgument({ ...argumentOf(entry) }));
  const left = ["headers", !SAFE.has(entry.method) && "body", entry.isPartial && "query"].filter(Boolean);
  builder.present(isOwn ? undefined : `Live traffic keeps no ${left.join(", ")}: add what the target needs`);
}

function replayEntry(entry: TrafficEntry): void {
  const argument = argumentOf(entry);
  builder.write(draftArgument({ ...argument }));
  sending?.abort();
  find("answer").scrollIntoView({ block: "nearest" });
  say(`Replaying ${entry.method} ${entry.address}`);
  void sendAway(argument);
}
