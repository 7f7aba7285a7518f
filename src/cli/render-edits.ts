/** Shows files that differ as unified diffs; long ones are cut. */
import { escapeInvisible } from '../diagnostics/render/terminal-text.ts';
import type { FileDiff } from '../write/index.ts';
import { formatCountWithNoun, printablePath } from './words.ts';

/** Number of lines that are shown of one diff. */
const SHOWN_LINES = 40;

/** Number of columns that are shown of a line, since generated data has long lines. */
const SHOWN_COLUMNS = 200;

/** Most lines of a refusal: its errors, and the edits below them. The three lines that tell of progress make it 20. */
const REFUSAL_LINES = 17;

/** Shows how mcpgen would change each edited file, below a report of `above` lines. */
export function renderShortenedEdits(edits: readonly FileDiff[], verbose: boolean, above: number): string {
  const text = edits
    .map(
      ({ path, diff }) =>
        `${printablePath(path)} was edited; mcpgen would change it so:\n${renderDiffText(diff, verbose)}\n`,
    )
    .join('');
  const lines = text.trimEnd().split('\n');
  const longest = Math.max(1, REFUSAL_LINES - above);
  if (verbose || lines.length <= longest) return text;
  const shown = lines.slice(0, longest - 1);
  const files = edits.length === 1 ? '' : ` about ${formatCountWithNoun(edits.length, 'edited file')}`;
  const rest = formatCountWithNoun(lines.length - shown.length, 'more line');
  return [...shown, `… ${rest}${files} (--verbose shows all)\n`].join('\n');
}

export function renderDiffs(diffs: readonly FileDiff[], verbose: boolean): string {
  return diffs.map(({ diff }) => renderDiffText(diff, verbose)).join('');
}

function renderDiffText(diff: string, verbose: boolean): string {
  const lines = diff.trimEnd().split('\n');
  const shown = verbose
    ? lines
    : lines
        .slice(0, SHOWN_LINES)
        .map((line) => (line.length <= SHOWN_COLUMNS ? line : `${line.slice(0, SHOWN_COLUMNS)}…`));
  const more = lines.length - shown.length;
  const rest = more === 0 ? [] : [`… ${formatCountWithNoun(more, 'more line')} (--verbose shows all)`];
  return [...shown.map(escapeInvisible), ...rest].map((line) => `${line}\n`).join('');
}
