/**
 * The fold of "Take it with you": what is in it loads when it is opened first.
 * @module
 */

import type { ReadyRequest } from "../builder/compose-request.ts";
import { find } from "../page/dom.ts";
import type { ShareContext } from "./share.ts";
import type { TakeActions } from "./take.ts";

/** Opens the fold. The result shows a request in it, `undefined` for none. */
export function openFold(
  context: ShareContext,
  actions: TakeActions,
): (request: ReadyRequest | undefined) => void {
  const fold = find<HTMLDetailsElement>("take");
  let loaded: Promise<typeof import("../after-paint.ts")> | undefined;
  let isLoaded = false;
  let shown: ReadyRequest | undefined;
  const show = () => {
    if (!fold.open) return;
    loaded ??= import("../after-paint.ts").then((take) => {
      take.openDecoder(context, actions);
      isLoaded = true;
      return take;
    });
    void loaded.then(({ showRequest }) => showRequest(shown, context));
  };
  fold.addEventListener("toggle", show);
  const form = find<HTMLFormElement>("decode");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    // What is asked for before it is loaded is done then.
    if (!isLoaded) void loaded?.then(() => form.requestSubmit());
  });
  return (request) => {
    shown = request;
    show();
  };
}
