/**
 * The two small charts and the figures above them, and their paths.
 * @module
 */

import { Component, type ComponentChild, h } from "preact";
import { formatBytes, formatClock, formatSpan } from "../page/format.ts";
import { COLUMN_SECONDS, COLUMNS } from "../../parts/console/traffic-counts.ts";
import { type Column, type Figures, MINUTES, readFigures } from "./pulse.ts";

type Paths = Readonly<Record<string, string>>;

interface Face {
  name: string;
  /** The large figure, what stands beside it, and the highest value. */
  figure(figures: Figures): string;
  about(figures: Figures): string;
  scale(figures: Figures): string;
  tell(column: Column): string;
  paths(columns: readonly Column[]): Paths;
}

const FACES: readonly Face[] = [
  {
    name: "Throughput",
    figure: ({ rate }) => `${formatRate(rate)} req/s`,
    about: ({ count, failed, bytes }) =>
      `${count.toLocaleString("en")} in ${MINUTES} min${
        failed > 0 ? `, ${failed.toLocaleString("en")} failed` : ""
      } · ${formatBytes(bytes)}`,
    scale: ({ peak }) => (peak > 0 ? `peak ${formatRate(peak)}/s` : ""),
    tell: ({ count, failed, bytes }) =>
      `${formatRate(count / COLUMN_SECONDS)} req/s${failed > 0 ? `, ${failed} failed` : ""}, ${
        formatBytes(bytes)
      }`,
    paths: barPaths,
  },
  {
    name: "Latency",
    figure: ({ median }) => (median === undefined ? "–" : formatSpan(median)),
    about: () => `median of the last ${COLUMN_SECONDS} s, to the response headers`,
    scale: ({ slowest }) => (slowest === undefined ? "" : `max ${formatSpan(slowest)}`),
    tell: ({ median, slowest }) =>
      median === undefined || slowest === undefined
        ? "no request"
        : `median ${formatSpan(median)}, slowest ${formatSpan(slowest)}`,
    paths: latencyPaths,
  },
];

interface ChartsProps {
  columns: readonly Column[];
  /** Whose requests these are, if not all. */
  source: string;
}

/** Both charts. */
export function Charts({ columns, source }: ChartsProps): ComponentChild {
  const figures = readFigures(columns);
  return FACES.map((face) => h(Chart, { key: face.name, face, columns, figures, source }));
}

/** One chart. A pointer over it, or the arrow keys, show the value of a column; otherwise it says the highest of all. */
class Chart extends Component<ChartsProps & { face: Face; figures: Figures }> {
  /** The second of the column that is looked at. */
  #looked: number | undefined;

  override render({ face, columns, figures, source }: Chart["props"]): ComponentChild {
    const place = columns.findIndex(({ startSecond }) => startSecond === this.#looked);
    const shown = place < 0 ? columns.length - 2 : place;
    const column = columns[shown];
    if (!column) return null;
    const told = `${formatClock(column.startSecond * 1_000)}: ${face.tell(column)}`;
    const x = (place + 0.5) * (WIDTH / columns.length);
    const plot = {
      class: "plot",
      role: "slider",
      tabIndex: 0,
      "aria-label": `${face.name} by ${COLUMN_SECONDS} seconds`,
      "aria-valuemin": 1,
      "aria-valuemax": COLUMNS,
      "aria-valuenow": shown + 1,
      "aria-valuetext": told,
      onKeyDown: (event: KeyboardEvent) => this.#step(event, place < 0 ? columns.length - 1 : place),
      onPointerMove: ({ offsetX, currentTarget }: PointerEvent) =>
        this.#look(Math.floor(offsetX / (currentTarget as Element).clientWidth * columns.length)),
      onPointerLeave: () => this.#look(-1),
      onBlur: () => this.#look(-1),
    };
    return h(
      "figure",
      { class: "chart" },
      h(
        "figcaption",
        {},
        h("span", { class: "title" }, face.name),
        h("small", { class: "scale", "aria-hidden": true }, place < 0 ? face.scale(figures) : told),
        h("strong", {}, face.figure(figures)),
        h("small", { class: "about" }, source + face.about(figures)),
      ),
      h("div", plot, drawPlot({ mark: place < 0 ? "" : `M${x} 0V${HEIGHT}`, ...face.paths(columns) })),
      h(Axis, {}),
    );
  }

  #step(event: KeyboardEvent, here: number): void {
    const last = this.props.columns.length - 1;
    const places: Record<string, number> = {
      ArrowLeft: here - 1,
      ArrowRight: here + 1,
      ArrowDown: here - 1,
      ArrowUp: here + 1,
      Home: 0,
      End: last,
    };
    const place = places[event.key];
    if (place === undefined) return;
    event.preventDefault();
    this.#look(Math.min(last, Math.max(0, place)));
  }

  /** Looks at a column; at none for a place that is not there. */
  #look(place: number): void {
    this.#looked = this.props.columns[place]?.startSecond;
    this.forceUpdate();
  }
}

function Axis(): ComponentChild {
  const ends = [`${MINUTES} min ago`, "now"].map((end) => h("span", {}, end));
  return h("div", { class: "axis", "aria-hidden": true }, ends);
}

/** Bars of all requests, and on them those of the failed ones. */
export function barPaths(columns: readonly Column[]): Paths {
  return {
    "beam": pathOfBars(columns, ({ count }) => count),
    "beam failed": pathOfBars(columns, ({ failed }) => failed),
  };
}

/** The picture: its ground, and what stands on it. */
export function drawPlot(paths: Paths): ComponentChild {
  return h(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": true },
    h("path", { class: "base", d: `M0 ${HEIGHT - 0.5}H${WIDTH}` }),
    Object.entries(paths).map(([name, d]) => h("path", { class: name, d })),
  );
}

function formatRate(rate: number): string {
  return Number.isInteger(rate) || rate >= 100 ? Math.round(rate).toLocaleString("en") : rate.toFixed(1);
}

/** The width of the picture, in its own units. */
export const WIDTH = 600;
/** The height of the picture, in its own units. */
const HEIGHT = 80;

/** Bars from the ground, as high as a part of the column's requests. */
function pathOfBars(columns: readonly Column[], read: (column: Column) => number): string {
  const most = Math.max(1, ...columns.map(({ count }) => count));
  const width = WIDTH / columns.length;
  return columns.map((column, index) => {
    const value = read(column);
    if (value === 0) return "";
    const height = Math.max(3, (value / most) * (HEIGHT - 4));
    return `M${round(index * width + 1)} ${HEIGHT}v${round(-height)}h${round(width - 2)}v${round(height)}z`;
  }).join("");
}

/**
 * A stem from the median to the slowest of each column, a line through the medians, and a dot on each: a line without length, whose
 * round ends the stretched picture keeps round. Where nothing was, there is a gap.
 */
export function latencyPaths(columns: readonly Column[]): Paths {
  const points = pointsOf(columns);
  const join = (draw: (point: Point, index: number) => string) =>
    points.map((point, index) => (point ? draw(point, index) : "")).join("");
  return {
    stem: join(({ x, median, slowest }) => `M${x} ${median}V${slowest}`),
    curve: join(({ x, median }, index) => `${points[index - 1] ? "L" : "M"}${x} ${median}`),
    dot: join(({ x, median }) => `M${x} ${median}h0`),
  };
}

interface Point {
  x: number;
  median: number;
  slowest: number;
}

function pointsOf(columns: readonly Column[]): (Point | undefined)[] {
  const most = Math.max(1, ...columns.map(({ slowest = 0 }) => slowest));
  const top = (value: number) => round(HEIGHT - 3 - (value / most) * (HEIGHT - 8));
  return columns.map(({ median, slowest = 0 }, index) =>
    median === undefined ? undefined : {
      x: round((index + 0.5) * (WIDTH / columns.length)),
      median: top(median),
      slowest: top(slowest),
    }
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
