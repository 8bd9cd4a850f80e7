/**
 * The console's script: connects host, builder, response and live traffic.
 * @module
 */

import type { PageFacts } from "../parts/console/page-facts.ts";
import {
  showAnswer,
  showFailure,
  showNothing,
  showPanel,
  showProgress,
  showWaiting,
} from "./answer/answer-view.ts";
import { openBuilder } from "./builder/builder.ts";
import { openDrafts, openKeeping, recall } from "./builder/drafts.ts";
import { isCurl, isSocketAddress } from "./builder/complete-address.ts";
import { draftArgument } from "./builder/fetch-argument.ts";
import type { Draft } from "./builder/draft.ts";
import {
  buildRequest,
  type Outcome,
  type ReadyRequest,
  type Surroundings,
} from "./builder/compose-request.ts";
import { openShelf } from "./builder/shelf.ts";
import { element, find, openDialog, say } from "./page/dom.ts";
import { openHostPanel } from "./host/host-panel.ts";
import { OwnSends } from "./traffic/own-sends.ts";
import { fetchWhole, sendRequest, Unsendable } from "./builder/sending.ts";
import { openInspection } from "./inspector/opening.ts";
import { onKey } from "./page/page-keys.ts";
import { openTheme } from "./page/theme.ts";
import { openViews, showView } from "./page/views.ts";
import { AWAY, readBase } from "./page/own-requests.ts";

const facts: PageFacts = JSON.parse(
  document.querySelector<HTMLMetaElement>("meta[name=fetchvia]")?.content ?? "{}",
);
const ownSends = new OwnSends<ReadyRequest>();
let host = facts.host;
let closeSocket = () => {};
let sending: AbortController | undefined;

const builder = openBuilder(facts, () => refresh(), () => void send());
const { put, unfilled } = openDrafts(builder, () => refresh());
const shelf = openShelf({
  builder,
  load: (draft, missing) => missing[0] ? load(draft, undefined, missing) : put(draft),
  unfilled,
  readHost: () => host,
});
const showInFold = openFold();
const keeping = openKeeping(() => ({ draft: builder.read(), tab: builder.tab(), missing: unfilled() }));
openHostPanel(facts, (now) => {
  host = now;
  refresh();
});
// An input would join the lines of a pasted command.
for (const id of ["address", "decode-input"]) {
  find(id).addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!isCurl(text)) return;
    event.preventDefault();
    void readCurl(text);
  });
}
openTheme();
openViews(facts.ticket === null ? "request" : "traffic");
const openPalette = () => {
  // Here at once: what is typed while the rest of it loads stands in its field.
  const field = element("input", { role: "combobox", "aria-label": "Action" });
  const dialog = openDialog("Actions", field);
  void import("./after-paint.ts").then(({ fillPalette }) => fillPalette(dialog, field, facts));
};
find("palette").addEventListener("click", openPalette);
onKey("palette", openPalette);
onKey("help", () => void import("./after-paint.ts").then(({ openHelp }) => openHelp()));
onKey("settings", () => void import("./after-paint.ts").then(({ openSettings }) => openSettings(facts)));
// It is seldom used, so it does not delay the first paint. What is asked before it is here, waits for it.
const explaining = import("./after-paint.ts").then(({ openBodyGuess, openExplain }) => {
  openBodyGuess();
  return openExplain(facts.ticket);
});
find("explain-form").addEventListener("submit", (event) => {
  event.preventDefault();
  void explaining.then((explain) => explain());
});
showNothing();
openInspection({
  facts,
  ownSends,
  readHost: () => host,
  load,
  replay,
  mayReload: () => !sending && shelf.secrets.size === 0 && keeping.losesNothing(),
});
restore();

function compose(): Outcome {
  return buildRequest(builder.read(), surround());
}

function surround(): Surroundings {
  return { host, namesCaller: facts.namesCaller, variables: shelf.variables() };
}

/** Updates the notes, the links and the code. */
function refresh(): void {
  keeping.keep();
  const { address } = builder.read();
  const isSocket = isSocketAddress(address);
  const outcome = compose();
  const missing = unfilled();
  const notes = [
    ...(missing[0] ? [`Fill in: ${missing.join(", ")}`] : []),
    ...(outcome.problem === undefined ? outcome.notes : []),
  ];
  const isEmpty = address.trim() === "" || isSocket || isCurl(address);
  builder.tell(isEmpty ? "" : outcome.problem ?? "", notes.join(". "));
  if (!sending) find("send").textContent = isSocket ? "Connect" : "Send";
  showInFold(outcome.problem === undefined ? outcome.request : undefined);
}

/** Opens "Take it with you": what is in it loads when it is opened first. The result shows a request in it, `undefined` for none. */
function openFold(): (request: ReadyRequest | undefined) => void {
  const context = { ...facts, base: readBase(location) };
  const fold = find<HTMLDetailsElement>("take");
  let shown: ReadyRequest | undefined;
  const show = () => {
    if (fold.open) void import("./after-paint.ts").then(({ showRequest }) => showRequest(shown, context));
  };
  fold.addEventListener("toggle", show);
  find("decode").addEventListener("submit", async (event) => {
    event.preventDefault();
    const { takeBack } = await import("./after-paint.ts");
    takeBack(context, (argument) => put(draftArgument(argument)), readCurl);
  });
  return (request) => {
    shown = request;
    show();
  };
}

/** Sends the request in the builder, or stops the one in flight. */
async function send(): Promise<void> {
  if (sending) return sending.abort();
  const draft = builder.read();
  if (isCurl(draft.address)) return await readCurl(draft.address);
  if (isSocketAddress(draft.address)) {
    const socket = await import("./after-paint.ts");
    closeSocket = socket.closeSocket;
    return await socket.openSocket(showPanel, draft, facts.ticket, surround());
  }
  const outcome = compose();
  if (outcome.problem !== undefined) {
    builder.present();
    builder.tell(outcome.problem, "");
    return showFailure(`Not sent: ${outcome.problem}`);
  }
  await sendAway(outcome.request);
}

async function sendAway(request: ReadyRequest): Promise<void> {
  closeSocket();
  const controller = sending = new AbortController();
  find("send").textContent = "Stop";
  showWaiting(
    request,
    () => controller.abort(),
    (signal, status) => fetchWhole(request, facts.ticket, signal, status),
  );
  ownSends.add(request);
  try {
    const received = await sendRequest(request, facts.ticket, controller.signal, (part) => {
      if (sending === controller) showProgress(part);
    });
    if (sending === controller) showAnswer(received);
  } catch (error) {
    const reason = controller.signal.aborted
      ? "Stopped before a response came."
      : error instanceof Unsendable
      ? error.message
      : AWAY;
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
  if (!kept) return refresh();
  builder.choose(kept.tab);
  put(kept.draft, kept.missing);
}

async function readCurl(text: string): Promise<void> {
  const { parseCurl } = await import("./after-paint.ts");
  const { draft, notes, problem } = parseCurl(text);
  if (draft) put(draft);
  const said = problem ?? ["curl is in the builder", ...notes].join(". ");
  refresh();
  builder.present(said);
  say(said);
}

/** Puts a request into the builder, says what is missing in it, and leads there. */
function load(draft: Draft, problem?: string, missing: string[] = []): void {
  put(draft, missing);
  showView("request");
  builder.present(problem, missing[0] ?? "");
}

function replay(draft: Draft): void {
  load(draft);
  sending?.abort();
  find("answer").scrollIntoView({ block: "nearest" });
  say(`Replaying ${draft.method} ${draft.address}`);
  sending = undefined;
  void send();
}
