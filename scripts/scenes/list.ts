/**
 * All scenes, in the order of the review.
 * @module
 */
import { ACCESS_SCENES } from "./access.ts";
import { ANSWER_SCENES } from "./answers.ts";
import { BODY_SCENES } from "./bodies.ts";
import { COUNT_SCENES } from "./counts.ts";
import { FLOW_SCENES } from "./flow.ts";
import { LAYOUT_SCENES } from "./layout.ts";
import { LIVE_SCENES } from "./live.ts";
import type { Scene } from "./scene.ts";
import { TYPED_SCENES } from "./typed.ts";

/** All scenes, in the order of the review. */
export const SCENES: readonly Scene[] = [
  ...TYPED_SCENES,
  ...COUNT_SCENES,
  ...ANSWER_SCENES,
  ...LAYOUT_SCENES,
  ...BODY_SCENES,
  ...FLOW_SCENES,
  ...LIVE_SCENES,
  ...ACCESS_SCENES,
].toSorted((one, other) => one.number - other.number);
