/**
 * What a scene is: one of the 37 defects that a review of the console found, made again.
 * @module
 */
import type { Stage } from "./stage.ts";

/** What was seen this time. */
export interface Seen {
  /** In a few words, with the number that counts. */
  figure: string;
  isOk: boolean;
}

/** One defect, made again. */
export interface Scene {
  /** As in the review; scenes that share a number show two sides of one defect. */
  number: number;
  title: string;
  /** What the review saw. */
  before: string;
  wanted: string;
  run(stage: Stage): Promise<Seen>;
}

/** Milliseconds that a scene may take, so that one that hangs fails alone. */
const LIMIT_MS = 120_000;

/** Runs a scene. What it throws is a failure of this scene only. */
export async function runScene(scene: Scene, stage: Stage): Promise<Seen> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${LIMIT_MS / 1_000} s`)), LIMIT_MS);
  });
  try {
    return await Promise.race([scene.run(stage), late]);
  } catch (error) {
    const [line = "", call = ""] = String(error instanceof Error ? error.message : error).split("\n");
    return { figure: `broke: ${line} ${call.trim()}`.trim(), isOk: false };
  } finally {
    clearTimeout(timer);
    await stage.clear();
  }
}

/**
 * The best of some tries, the first good one at once: work of other programs makes a figure worse, never better.
 *
 * @param many how often at most
 */
export async function bestOf(
  many: number,
  attempt: () => Promise<{ value: number; isOk: boolean; figure: string }>,
): Promise<Seen> {
  let best = await attempt();
  for (let tries = 1; tries < many && !best.isOk; tries += 1) {
    const next = await attempt();
    if (next.isOk || next.value < best.value) best = next;
  }
  return best;
}
