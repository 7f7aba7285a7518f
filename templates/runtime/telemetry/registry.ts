// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Counters and histograms, and their text for Prometheus (exposition format 0.0.4). */

export type Labels = Readonly<Record<string, string>>;

/** Holds the number of one series, which its owner adds to. */
export interface Cell {
  value: number;
}

/** Values by their labels. Labels have few values, none of them from a client. */
export class Counter {
  readonly #cells = new Map<string, Cell>();

  /** @param labels as `printLabelPairs` writes them */
  at(labels: string): Cell {
    const cell = this.#cells.get(labels) ?? { value: 0 };
    this.#cells.set(labels, cell);
    return cell;
  }

  lines(name: string): string[] {
    return [...this.#cells].map(([labels, { value }]) => `${name}${printLabels(labels)} ${value}`);
  }
}

/** Seconds: those of the semantic conventions for MCP, and shorter ones for servers beside their API. */
const BOUNDS = [0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60];

/** Times under the same labels. */
export class Series {
  /** Counts by bucket, not cumulative; the last is of longer times. */
  readonly counts = Array<number>(BOUNDS.length + 1).fill(0);
  sum = 0;

  observeSeconds(seconds: number): void {
    let at = 0;
    while (at < BOUNDS.length && seconds > (BOUNDS[at] ?? 0)) at++;
    this.counts[at] = (this.counts[at] ?? 0) + 1;
    this.sum += seconds;
  }
}

export class Histogram {
  readonly #series = new Map<string, Series>();

  at(labels: string): Series {
    const series = this.#series.get(labels) ?? new Series();
    this.#series.set(labels, series);
    return series;
  }

  lines(name: string): string[] {
    return [...this.#series].flatMap(([labels, { counts, sum }]) => {
      let count = 0;
      const buckets = counts.map((own, at) => {
        count += own;
        return `${name}_bucket${printLabels(labels, printLabelPairs({ le: String(BOUNDS[at] ?? '+Inf') }))} ${count}`;
      });
      return [
        ...buckets,
        `${name}_sum${printLabels(labels)} ${sum}`,
        `${name}_count${printLabels(labels)} ${count}`,
      ];
    });
  }
}

function printLabels(...labels: string[]): string {
  const text = labels.filter((each) => each !== '').join(',');
  return text === '' ? '' : `{${text}}`;
}

export function printLabelPairs(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`)
    .join(',');
}

export interface Family {
  name: string;
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  lines: readonly string[];
}

export function gaugeFamily(name: string, help: string, value: number, labels = ''): Family {
  return { name, type: 'gauge', help, lines: [`${name}${labels === '' ? '' : `{${labels}}`} ${value}`] };
}

export function counterFamily(name: string, help: string, values: Counter): Family {
  return { name, type: 'counter', help, lines: values.lines(name) };
}

export function histogramFamily(name: string, help: string, values: Histogram): Family {
  return { name, type: 'histogram', help, lines: values.lines(name) };
}

/** Families without a value are left out. */
export function printFamilies(families: readonly Family[]): string {
  return families
    .filter(({ lines }) => lines.length > 0)
    .map(({ name, type, help, lines }) =>
      [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n'),
    )
    .join('');
}
