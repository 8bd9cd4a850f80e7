/**
 * The two small charts and the figures above them. They are made once; what changes is text and paths.
 * @module
 */

import { element, find, graphic } from "../page/dom.ts";
import { formatBytes, formatClock, formatSpan } from "../page/format.ts";
import { COLUMN_SECONDS, COLUMNS } from "../../parts/console/traffic-counts.ts";
import { HEIGHT, pathOfBars, pathOfCurve, pathOfDots, pathOfStems, WIDTH } from "./chart-paths.ts";
import { type Column, type Figures, MINUTES, readFigures } from "./pulse.ts";

/** What a chart draws, and says. */
interface Face {
  name: string;
  /** The large figure, what stands beside it, and the highest value. */
  figure(figures: Figures): string;
  about(figures: Figures): string;
  scale(figures: Figures): string;
  /** One column in words. */
  tell(column: Column): string;
  /** Paths by class. */
  paths(columns: readonly Column[]): Readonly<Record<string, string>>;
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
    paths: (columns) => ({
      "beam": pathOfBars(columns, ({ count }) => count),
      "beam failed": pathOfBars(columns, ({ failed }) => failed),
    }),
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
    paths: (columns) => ({
      stem: pathOfStems(columns),
      curve: pathOfCurve(columns),
      dot: pathOfDots(columns),
    }),
  },
];

/** Both charts. */
export class Charts {
  readonly #panels = FACES.map((face) => new Panel(face));

  constructor() {
    find("charts").replaceChildren(...this.#panels.map(({ node }) => node));
  }

  /** @param source whose requests these are, if not all */
  draw(columns: readonly Column[], source: string): void {
    const figures = readFigures(columns);
    for (const panel of this.#panels) panel.draw(columns, figures, source);
  }
}

/** One chart. A pointer over it, or the arrow keys, show the value of a column. */
class Panel {
  readonly node: HTMLElement;
  readonly #face: Face;
  readonly #figure = element("strong");
  readonly #about = element("small", { class: "about" });
  readonly #scale = element("small", { class: "scale", "aria-hidden": "true" });
  readonly #mark = graphic("path", { class: "mark" });
  readonly #paths = new Map<string, SVGElement>();
  readonly #plot: HTMLElement;
  #columns: readonly Column[] = [];
  #said = "";
  /** The second of the column that is looked at. */
  #looked: number | undefined;

  constructor(face: Face) {
    this.#face = face;
    for (const name of Object.keys(face.paths([]))) this.#paths.set(name, graphic("path", { class: name }));
    const base = graphic("path", { class: "base", d: `M0 ${HEIGHT - 0.5}H${WIDTH}` });
    const box = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" };
    this.#plot = element(
      "div",
      {
        class: "plot",
        role: "slider",
        tabindex: 0,
        "aria-label": `${face.name} by ${COLUMN_SECONDS} seconds`,
        "aria-valuemin": 1,
        "aria-valuemax": COLUMNS,
        keydown: (event) => this.#step(event as KeyboardEvent),
        pointermove: (event) => this.#point(event as PointerEvent),
        pointerleave: () => this.#look(undefined),
        blur: () => this.#look(undefined),
      },
      graphic("svg", box, base, this.#mark, ...this.#paths.values()) as unknown as Node,
    );
    const caption = element(
      "figcaption",
      {},
      element("span", { class: "title" }, face.name),
      this.#scale,
      this.#figure,
      this.#about,
    );
    const axis = element("span", {}, `${MINUTES} min ago`);
    const ends = element("div", { class: "axis", "aria-hidden": "true" }, axis, element("span", {}, "now"));
    this.node = element("figure", { class: "chart" }, caption, this.#plot, ends);
  }

  draw(columns: readonly Column[], figures: Figures, source: string): void {
    this.#columns = columns;
    const { figure, about, scale, paths } = this.#face;
    this.#figure.textContent = figure(figures);
    this.#about.textContent = source + about(figures);
    this.#said = scale(figures);
    for (const [name, d] of Object.entries(paths(columns))) this.#paths.get(name)?.setAttribute("d", d);
    this.#tell();
  }

  /** Moves the look by arrow keys, Home and End. */
  #step(event: KeyboardEvent): void {
    const last = this.#columns.length - 1;
    const here = this.#place() ?? last;
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
    this.#look(this.#columns[Math.min(last, Math.max(0, place))]?.startSecond);
  }

  #point({ offsetX }: PointerEvent): void {
    const place = Math.floor((offsetX / this.#plot.clientWidth) * this.#columns.length);
    this.#look(this.#columns[place]?.startSecond);
  }

  #look(second: number | undefined): void {
    this.#looked = second;
    this.#tell();
  }

  #place(): number | undefined {
    const place = this.#columns.findIndex(({ startSecond }) => startSecond === this.#looked);
    return place < 0 ? undefined : place;
  }

  /** Says the value of the column that is looked at, or else the highest of all. */
  #tell(): void {
    const place = this.#place();
    const column = this.#columns[place ?? this.#columns.length - 2];
    if (!column) return;
    const told = `${formatClock(column.startSecond * 1_000)}: ${this.#face.tell(column)}`;
    this.#scale.textContent = place === undefined ? this.#said : told;
    this.#plot.setAttribute("aria-valuenow", String((place ?? this.#columns.length - 2) + 1));
    this.#plot.setAttribute("aria-valuetext", told);
    const x = ((place ?? 0) + 0.5) * (WIDTH / this.#columns.length);
    this.#mark.setAttribute("d", place === undefined ? "" : `M${x} 0V${HEIGHT}`);
  }
}

function formatRate(rate: number): string {
  return Number.isInteger(rate) || rate >= 100 ? Math.round(rate).toLocaleString("en") : rate.toFixed(1);
}
