/**
 * How every state of the page looks: without faults of accessibility, in all sizes with all controls in reach, in forced
 * colours with a mark on what is chosen, and without a word of the policy.
 * @module
 */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { findFaults } from "./axe.ts";
import type { Stage } from "./stage.ts";
import { type State, WALKS } from "./states.ts";
import { WORK_WALKS } from "./work-states.ts";

/** Sizes of windows; 720 x 450 is 1440 x 900 at 200 %, and 320 is that of a phone at 120 %. */
const WIDE = { width: 1_440, height: 900 };
const PHONE = { width: 390, height: 844 };
const SIZES = [WIDE, { width: 1_024, height: 768 }, { width: 720, height: 450 }, PHONE, {
  width: 320,
  height: 640,
}];
/** A walk takes seconds on an idle machine. */
const WALK_MS = 300_000;

/** What is looked at in each state, and what is wrong there. */
const LOOKS = {
  light: findFaults,
  marks: async (page) => {
    await page.emulateMedia({ forcedColors: "active" });
    const unmarked = await page.evaluate(findUnmarked);
    await page.emulateMedia({ forcedColors: null });
    return unmarked;
  },
  reach: async (page) => {
    const cut: string[] = [];
    for (const size of SIZES) {
      await page.setViewportSize(size);
      cut.push(...(await page.evaluate(findCut)).map((fault) => `${size.width} px: ${fault}`));
    }
    return cut;
  },
  dark: async (page) => {
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ colorScheme: "dark" });
    const faults = await findFaults(page);
    await page.emulateMedia({ colorScheme: "light" });
    return faults;
  },
} satisfies Record<string, (page: Page) => Promise<string[]>>;
const NAMES = ["light", "marks", "reach", "dark"] as const;

/** Walks once through the states of a part; gives what is wrong for each look. */
async function walk(page: Page, states: readonly State[]): Promise<Record<keyof typeof LOOKS, string[]>> {
  const found: Awaited<ReturnType<typeof walk>> = { light: [], marks: [], reach: [], dark: [] };
  for (const { about, show } of states) {
    await page.setViewportSize(WIDE);
    await show(page);
    for (const name of NAMES) {
      found[name].push(...(await LOOKS[name](page)).map((fault) => `${about}: ${fault}`));
    }
  }
  return found;
}

/** Runs in the page: controls that are cut off or have no size, and boxes that scroll sideways. */
function findCut(): string[] {
  const name = (one: Element) => one.outerHTML.slice(0, 90);
  const clip = (control: Element): string => {
    const box = control.getBoundingClientRect();
    if (box.width < 1 || box.height < 1) return "has no size";
    let canScroll = false;
    for (let inner = control; inner.parentElement;) {
      const { position } = getComputedStyle(inner);
      const outer = position === "absolute" ? (inner as HTMLElement).offsetParent : inner.parentElement;
      if (position === "fixed" || !outer) break;
      const { overflowX, overflowY } = getComputedStyle(outer);
      const edge = outer.getBoundingClientRect();
      if (overflowX !== "visible" && (box.left < edge.left - 1 || box.right > edge.right + 1)) {
        return `is cut off by ${outer.id || outer.className}`;
      }
      canScroll ||= /auto|scroll/.test(overflowY);
      const isBelow = box.bottom > edge.bottom + 1 || box.top < edge.top - 1;
      if (!canScroll && overflowY !== "visible" && isBelow) return `is below ${outer.id || outer.className}`;
      inner = outer;
    }
    if (box.left < -1 || box.right > innerWidth + 1) return "is beside the window";
    return control.matches("button") && control.scrollWidth > control.clientWidth + 1 ? "cuts its text" : "";
  };
  // Saved filters fade at their edge, which says that there are more; lines of a list end in an ellipsis.
  const left = ".sr, .skip, .skip *, .presets *, .log-row *, [type=radio], [type=hidden]";
  const controls = [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(left));
  const boxes = [
    ...document.querySelectorAll(":root, .view, .scroll, .pane-panel, .host-more, .examples ul"),
  ];
  return [
    ...controls.flatMap((one) => clip(one) ? [`${clip(one)}: ${name(one)}`] : []),
    ...boxes.filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth).map((box) =>
      `scrolls sideways: ${name(box)}`
    ),
  ];
}

/** Runs in the page: what is chosen and looks like what is not, and marks that are drawn in the colour of the page. */
function findUnmarked(): string[] {
  const name = (one: Element) => one.outerHTML.slice(0, 90);
  const isSeen = (one: Element) => one.checkVisibility({ visibilityProperty: true });
  const look = (one: Element) => {
    const { color, backgroundColor, borderBottomColor, borderBottomStyle } = getComputedStyle(one);
    return [color, backgroundColor, borderBottomStyle, borderBottomColor].join();
  };
  const pairs: [chosen: string, other: string][] = [
    ["[role=tab][aria-selected=true]", "[role=tab][aria-selected=false]"],
    ["nav [aria-current]", "nav a:not([aria-current])"],
    [".choice :checked + span", ".choice :not(:checked) + span"],
    ["button[aria-pressed=true]", "button[aria-pressed=false]"],
    [".log-row[aria-selected=true]", ".log-row[aria-selected=false]"],
    [".recents .current", ".recents li:not(.current)"],
  ];
  const unmarked = pairs.flatMap(([chosen, other]) =>
    [...document.querySelectorAll(chosen)].filter(isSeen).filter((one) => {
      const beside = [...one.closest("[role=tablist], nav, fieldset, div, ul")!.querySelectorAll(other)];
      return beside.filter(isSeen).some((rest) => look(rest) === look(one));
    })
  );
  const behind = (one: Element): string => {
    const { backgroundColor } = getComputedStyle(one.parentElement!);
    return backgroundColor === "rgba(0, 0, 0, 0)" ? behind(one.parentElement!) : backgroundColor;
  };
  const drawn = [...document.querySelectorAll(".timeline i, .track span, .line, .plot .curve, .plot .beam")];
  const lost = drawn.filter(isSeen).filter((one) => {
    const { backgroundColor, borderTopColor, borderTopStyle, fill, stroke } = getComputedStyle(one);
    const border = borderTopStyle === "none" ? "none" : borderTopColor;
    const colours = one instanceof SVGElement ? [fill, stroke] : [backgroundColor, border];
    return colours.every((colour) => [behind(one), "none", "rgba(0, 0, 0, 0)"].includes(colour));
  });
  return [...unmarked, ...lost].map((one) => `has no mark: ${name(one)}`);
}

const ALL = [...WALKS, ...WORK_WALKS];

/** Declares the tests. */
export function describeLooks(stage: Stage): void {
  it("walks through 40 states and more", () =>
    expect(ALL.flatMap(({ states }) => states).length).toBeGreaterThanOrEqual(40));

  it.each(ALL)(
    "$part: no fault that axe finds in light and dark, controls in reach in each size, marks in forced colours, and " +
      "nothing for the policy to stop",
    async ({ start, states }) => {
      const page = await stage.open();
      await start(page, stage);
      expect(await walk(page, states)).toEqual({ light: [], marks: [], reach: [], dark: [] });
      expect(stage.visit.troubles.filter((trouble) => !trouble.includes("404"))).toEqual([]);
    },
    WALK_MS,
  );
}
