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
  let shown: ReadyRequest | undefined;
  const show = () => {
    if (fold.open) void import("../after-paint.ts").then(({ showRequest }) => showRequest(shown, context));
  };
  fold.addEventListener("toggle", show);
  find("decode").addEventListener("submit", (event) => {
    event.preventDefault();
    void import("../after-paint.ts").then(({ takeBack }) => takeBack(context, actions));
  });
  return (request) => {
    shown = request;
    show();
  };
}
