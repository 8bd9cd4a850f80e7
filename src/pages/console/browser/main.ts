/**
 * The console's script: connects host, builder, response and live traffic.
 * @module
 */

import type { FetchArgument } from "../../../client.ts";
import type { PageFacts } from "../facts.ts";
import type { TrafficEntry } from "../traffic.ts";
import { showAnswer, showFailure, showNothing, showProgress, showWaiting } from "./answer/answer-view.ts";
import { openBuilder } from "./builder/builder.ts";
import { isSocketAddress } from "./builder/address.ts";
import { describe, draftArgument, readRequest } from "./builder/argument.ts";
import { openKeeping, recall } from "./builder/keep.ts";
import { buildRequest, type Outcome, type ReadyRequest } from "./builder/request.ts";
import { openShelf } from "./builder/shelf.ts";
import { decodePasted } from "./share/decode.ts";
import { find, say } from "./page/dom.ts";
import { openExplain } from "./explain/explain-view.ts";
import { openHostPanel } from "./host/host.ts";
import { OwnSends } from "./traffic/own-sends.ts";
import { readBase } from "./page/place.ts";
import { sendRequest, Unsendable } from "./builder/sending.ts";
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

const builder = openBuilder(facts, () => void refresh(), () => void send());
const shelf = openShelf(builder, () => host);
const keep = openKeeping(() => ({ draft: builder.read(), tab: builder.tab(), secrets: [...shelf.secrets] }));
openHostPanel(facts, (now) => {
  host = now;
  void refresh();
});
openCurl();
openDecoder();
openTheme();
openExplain(facts.ticket);
showNothing();
openTraffic(facts.ticket, { open: openEntry, replay: replayEntry, canReplay });
restore();

/** The request as it would go out now. */
function compose(): Outcome {
  return buildRequest(builder.read(), { host, namesCaller: facts.namesCaller, variables: shelf.variables() });
}

/** Updates the notes, the links and the code. */
async function refresh(): Promise<void> {
  const mine = round += 1;
  keep();
  const { address } = builder.read();
  const isSocket = isSocketAddress(address);
  const outcome = compose();
  const isEmpty = address.trim() === "" || isSocket || isCurl(address);
  builder.tell(
    isEmpty ? "" : outcome.problem ?? "",
    outcome.problem === undefined ? outcome.notes.join(". ") : "",
  );
  if (!sending) find("send").textContent = isSocket ? "Connect" : "Send";
  const shares = outcome.problem === undefined ? await listShares(outcome.request, context) : [];
  if (mine === round) showShares(shares);
}

/** Sends the request in the builder, or stops the one in flight. */
async function send(): Promise<void> {
  if (sending) return sending.abort();
  const draft = builder.read();
  if (isCurl(draft.address)) return await readCurl(draft.address);
  if (isSocketAddress(draft.address)) {
    const { openSocket } = await import("./builder/socket-view.ts");
    return await openSocket(find("socket"), draft, facts.ticket, shelf.variables());
  }
  const outcome = compose();
  if (outcome.problem !== undefined) {
    builder.present();
    builder.tell(outcome.problem, "");
    return showNothing();
  }
  await sendAway(outcome.request);
}

async function sendAway(request: ReadyRequest): Promise<void> {
  const controller = sending = new AbortController();
  find("send").textContent = "Stop";
  showProgress(stop);
  const { argument } = { argument: undefined, ...describe(request) };
  if (argument) ownSends.add(argument);
  try {
    const received = await sendRequest(request, facts.ticket, controller.signal, (part) => {
      if (sending === controller) showProgress(stop, part);
    });
    if (sending === controller) showAnswer(received, request.method);
  } catch (error) {
    const reason = controller.signal.aborted
      ? "Stopped before an answer came."
      : error instanceof Unsendable
      ? error.message
      : "The proxy does not answer; is it still running?";
    if (sending === controller) showFailure(reason);
  }
  // A replay may have started in the meantime.
  if (sending !== controller) return;
  sending = undefined;
  find("send").textContent = "Send";
}

/** Shows what the builder held before the page was loaded again. */
function restore(): void {
  const kept = recall();
  if (!kept) return void refresh();
  for (const [key, value] of kept.secrets) shelf.secrets.set(key, value);
  builder.choose(kept.tab);
  builder.write(kept.draft);
}

function isCurl(text: string): boolean {
  return /^\s*(?:\$\s+)?curl(?:\.exe)?\s/.test(text);
}

/** Puts a pasted curl command into the builder. An input would join its lines. */
function openCurl(): void {
  for (const id of ["address", "decode-input"]) {
    find(id).addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (!isCurl(text)) return;
      event.preventDefault();
      void readCurl(text);
    });
  }
}

async function readCurl(text: string): Promise<void> {
  const { parseCurl } = await import("./builder/paste-curl.ts");
  const { draft, notes, problem } = parseCurl(text);
  if (draft) builder.write(draft);
  const said = problem ?? ["curl is in the builder", ...notes].join(". ");
  await refresh();
  builder.present(said);
  say(said);
}

function openDecoder(): void {
  find("decode").addEventListener("submit", (event) => {
    event.preventDefault();
    const pasted = find<HTMLInputElement>("decode-input").value;
    if (isCurl(pasted)) return void readCurl(pasted);
    const decoded = decodePasted(pasted, context);
    find("decode-result").textContent = decoded
      ? `${decoded.what}: it stands in the builder now.`
      : "This is no arg, no link of a proxy, no label and no curl command.";
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
  void sendAway(readRequest(argument));
}
