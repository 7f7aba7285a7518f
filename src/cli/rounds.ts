/** What is said of each round of `--watch`: new problems, and one short line; with `--json` one document a line. */
import type { ReportOptions } from '../config/options/option-types.ts';
import { relative } from 'node:path';
import { toRecord } from '../diagnostics/render/record.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { EXIT } from './exit-code.ts';
import type { Host } from './host.ts';
import type { Outcome } from './outcome.ts';
import { present } from './present.ts';
import { plural, shortTime, visiblePath } from './words.ts';

export interface RoundReport {
  /** Of a configuration of several. */
  server?: string;
  /** Absolute paths; none in the first round. */
  changed: readonly string[];
  outcome: Outcome;
  /** What came of it, in a few words: of a round that failed, what stays. */
  words: readonly string[];
  milliseconds: number;
}

export class Rounds {
  readonly #flags: ReportOptions;
  readonly #host: Host;
  /** Where lines go. */
  readonly #line: 'text' | 'next';
  #told = new Set<string>();

  constructor(flags: ReportOptions, host: Host, stream: 'stdout' | 'stderr') {
    this.#flags = flags;
    this.#host = host;
    this.#line = stream === 'stdout' ? 'text' : 'next';
  }

  report({ server, changed, outcome, words, milliseconds }: RoundReport): void {
    const { json = false } = this.#flags;
    const isFine = outcome.exitCode === EXIT.fine;
    const names = changed.map((path) => visiblePath(relative(this.#host.cwd, path)));
    if (json) {
      const diagnostics = outcome.diagnostics.map((each) => toRecord(each, outcome.places));
      const { exitCode, result } = outcome;
      this.#host.stdout.write(
        `${JSON.stringify({ ok: isFine, exitCode, server, changed: names, diagnostics, result })}\n`,
      );
      return;
    }
    const diagnostics = this.#untold(outcome.diagnostics);
    const mark = isFine ? this.#host.stdout.paint('green', '✓') : this.#host.stdout.paint('red', '✗');
    const line = `${[`${mark} ${subjectOf(names)}`, ...[server ?? []].flat(), ...words, shortTime(milliseconds)].join(' · ')}\n`;
    const { text, next, ...rest } = outcome;
    void [text, next];
    // Where nothing changed, this is the beginning, and the outcome says more itself.
    const said = changed.length === 0 ? outcome : { ...rest, [this.#line]: line };
    present({ ...said, diagnostics }, this.#flags, this.#host);
  }

  /** Errors, and what the round before has not said. */
  #untold(diagnostics: readonly Diagnostic[]): Diagnostic[] {
    const told = this.#told;
    this.#told = new Set(diagnostics.map((each) => JSON.stringify(each)));
    return diagnostics.filter((each) => each.severity === 'error' || !told.has(JSON.stringify(each)));
  }
}

/** `src/tools.ts changed`, `src/tools.ts and 2 more changed` */
function subjectOf([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? `${first} changed` : `${first} and ${others.length} more changed`;
}

/** `12 tools`, and other kinds where there are some. */
export function countWords(model: {
  tools: readonly unknown[];
  resources: readonly unknown[];
  resourceTemplates: readonly unknown[];
  prompts: readonly unknown[];
}): string {
  const resources = model.resources.length + model.resourceTemplates.length;
  return [
    plural(model.tools.length, 'tool'),
    ...(resources === 0 ? [] : [plural(resources, 'resource')]),
    ...(model.prompts.length === 0 ? [] : [plural(model.prompts.length, 'prompt')]),
  ].join(', ');
}
