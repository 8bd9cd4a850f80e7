/**
 * All house rules but the slow ones, in the order of their report.
 * @module
 */
import { EXPRESSION_RULES } from "./expressions.ts";
import { LAYER_RULES } from "./layers.ts";
import { MANIFEST_RULES } from "./manifests.ts";
import { SIZE_RULES } from "./sizes.ts";
import type { Rule } from "./source.ts";
import { SPECIFICATION_RULES } from "./specification.ts";
import { TEST_RULES } from "./tests.ts";
import { WORD_RULES } from "./words.ts";

/** Every house rule that takes no seconds. */
export const RULES: readonly Rule[] = [
  ...LAYER_RULES,
  ...SIZE_RULES,
  ...WORD_RULES,
  ...EXPRESSION_RULES,
  ...SPECIFICATION_RULES,
  ...TEST_RULES,
  ...MANIFEST_RULES,
];
