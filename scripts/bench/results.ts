/**
 * The results of all rounds, by case and candidate.
 * @module
 */
import type { Figure, Sample } from "./cases.ts";

/** Names a figure of a candidate in a case. */
export interface Reference {
  case: string;
  candidate: string;
  figure: Figure;
}

/** A candidate that failed at a case, and the reason. */
export interface Failure {
  case: string;
  candidate: string;
  reason: string;
}

/** Samples of every round; a round that failed leaves a gap, so that rounds stay comparable pair by pair. */
export class Results {
  readonly failures: Failure[] = [];
  readonly #samples = new Map<string, Map<string, Sample[]>>();

  add(name: string, candidate: string, round: number, sample: Sample): void {
    const row = this.#samples.get(name) ?? new Map<string, Sample[]>();
    const samples = row.get(candidate) ?? [];
    samples[round] = sample;
    this.#samples.set(name, row.set(candidate, samples));
  }

  /** The candidates with figures for a case, in the order of their first measurement. */
  candidates(name: string): string[] {
    return [...this.#samples.get(name)?.keys() ?? []];
  }

  /** The median over the rounds; `undefined` if there are none. */
  value(of: Reference): number | undefined {
    return median(this.#values(of).filter((value) => value !== undefined));
  }

  /** The least and the greatest value of the rounds; `undefined` if there are fewer than two. */
  spread(of: Reference): [least: number, greatest: number] | undefined {
    const values = this.#values(of).filter((value) => value !== undefined);
    return values.length > 1 ? [Math.min(...values), Math.max(...values)] : undefined;
  }

  /** The median of the ratios of each round; `undefined` if no round has both figures. */
  ratio(of: Reference, over: Reference): number | undefined {
    return this.#compare(of, over, (value, other) => value / other);
  }

  /** The median of what a figure has more than the other in each round; `undefined` if no round has both. */
  difference(of: Reference, over: Reference): number | undefined {
    return this.#compare(of, over, (value, other) => value - other);
  }

  #compare(of: Reference, over: Reference, by: (value: number, other: number) => number): number | undefined {
    const base = this.#values(over);
    const compared = this.#values(of).map((value, round) => {
      const other = base[round];
      return value !== undefined && other ? by(value, other) : undefined;
    });
    return median(compared.filter((one) => one !== undefined));
  }

  #values({ case: name, candidate, figure }: Reference): (number | undefined)[] {
    return Array.from(this.#samples.get(name)?.get(candidate) ?? [], (sample) => sample?.[figure]);
  }
}

/** The middle value, or the mean of the two middle ones. */
function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const low = sorted[Math.floor((sorted.length - 1) / 2)];
  const high = sorted[Math.floor(sorted.length / 2)];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}
