/** Output of `--watch`: each round prints its new problems and one line, or with `--json` one document on a line. */
import type { ReportOptions } from '../config/options/option-types.ts';
import { relative } from 'node:path';
import { diagnosticToRecord } from '../diagnostics/render/record.ts';
import type { Diagnostic } from '../diagnostics/collector.ts';
import { EXIT, type Outcome } from './outcome.ts';
import type { Host } from './host.ts';
import { writeOutcome } from './present.ts';
import { formatCountWithNoun, formatDuration, printablePath } from './words.ts';

export interface RoundReport {
  /** Absent if the configuration has one server. */
  server?: string | undefined;
  /** Absolute paths; none in the first round. */
  changed: readonly string[];
  outcome: Outcome;
  /** Short phrases for the line: results, or after a failure the state that continues. */
  phrases: readonly string[];
  milliseconds: number;
}

export class Rounds {
  readonly #flags: ReportOptions;
  readonly #host: Host;
  readonly #line: 'text' | 'next';
  /** The diagnostics of the round before, as JSON: the same ones are not printed again. */
  #reported = new Set<string>();

  constructor(flags: ReportOptions, host: Host, stream: 'stdout' | 'stderr') {
    this.#flags = flags;
    this.#host = host;
    this.#line = stream === 'stdout' ? 'text' : 'next';
  }

  reportRound({ server, changed, outcome, phrases, milliseconds }: RoundReport): void {
    const { json = false } = this.#flags;
    const isFine = outcome.exitCode === EXIT.fine;
    const names = changed.map((path) => printablePath(relative(this.#host.cwd, path)));
    if (json) {
      const diagnostics = outcome.diagnostics.map((diagnostic) =>
        diagnosticToRecord(diagnostic, outcome.places),
      );
      const { exitCode, result } = outcome;
      this.#host.stdout.write(
        `${JSON.stringify({ ok: isFine, exitCode, server, changed: names, diagnostics, result })}\n`,
      );
      return;
    }
    const diagnostics = this.#selectUnreported(outcome.diagnostics);
    const mark = isFine ? this.#host.stdout.paint('green', '✓') : this.#host.stdout.paint('red', '✗');
    const parts = [`${mark} ${formatChangedFiles(names)}`, ...[server ?? []].flat(), ...phrases];
    const line = `${[...parts, formatDuration(milliseconds)].join(' · ')}\n`;
    // The first round prints the outcome's own text, which has more in it than the line.
    const texts =
      changed.length === 0 ? {} : { text: undefined, edits: undefined, next: undefined, [this.#line]: line };
    writeOutcome({ ...outcome, ...texts, diagnostics }, this.#flags, this.#host);
  }

  /** Errors are repeated in each round; the rest only if the round before did not report it. */
  #selectUnreported(diagnostics: readonly Diagnostic[]): Diagnostic[] {
    const reported = this.#reported;
    this.#reported = new Set(diagnostics.map((diagnostic) => JSON.stringify(diagnostic)));
    return diagnostics.filter(
      (diagnostic) => diagnostic.severity === 'error' || !reported.has(JSON.stringify(diagnostic)),
    );
  }
}

/** `src/tools.ts changed`, `src/tools.ts and 2 more changed` */
function formatChangedFiles([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? `${first} changed` : `${first} and ${others.length} more changed`;
}

/** `12 tools, 1 prompt` */
export function formatItemCounts(model: {
  tools: readonly unknown[];
  resources: readonly unknown[];
  resourceTemplates: readonly unknown[];
  prompts: readonly unknown[];
}): string {
  const resources = model.resources.length + model.resourceTemplates.length;
  return [
    formatCountWithNoun(model.tools.length, 'tool'),
    ...(resources === 0 ? [] : [formatCountWithNoun(resources, 'resource')]),
    ...(model.prompts.length === 0 ? [] : [formatCountWithNoun(model.prompts.length, 'prompt')]),
  ].join(', ');
}
