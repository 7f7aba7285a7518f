/** Shows files that differ as unified diffs; long ones are cut. */
import { escapeInvisible } from '../diagnostics/render/terminal-text.ts';
import type { EditView, FileDiff } from '../write/index.ts';
import { formatCountWithNoun, printablePath } from './words.ts';

/** Number of lines that are shown of one diff. */
const SHOWN_LINES = 40;

/** Number of columns that are shown of a line, since generated data has long lines. */
const SHOWN_COLUMNS = 200;

/** Lines shown of all edited files: with the error above them, a refusal stays within 20 lines. */
const SHOWN_OF_VIEWS = 12;

/** Shows the edits of each edited file, and the changes that mcpgen would make. */
export function renderShortenedEdits(views: readonly EditView[], verbose: boolean): string {
  const text = renderAllEdits(views, verbose);
  const lines = text.trimEnd().split('\n');
  if (verbose || lines.length <= SHOWN_OF_VIEWS) return text;
  const shown = lines.slice(0, SHOWN_OF_VIEWS - 1);
  const files = views.length === 1 ? '' : ` about ${formatCountWithNoun(views.length, 'edited file')}`;
  return `${shown.join('\n')}\n… ${formatCountWithNoun(lines.length - shown.length, 'more line')}${files} (--verbose shows all)\n`;
}

function renderAllEdits(views: readonly EditView[], verbose: boolean): string {
  return views
    .map((view) => {
      const heading = `${printablePath(view.path)} was edited; ${describeBase(view)}\n`;
      const parts = [
        renderTitledDiff('Edits', view.edits, verbose),
        renderTitledDiff('Changes', view.changes, verbose),
      ];
      return `${heading}${parts.join('')}\n`;
    })
    .join('');
}

function describeBase({ base, commit = '', changes }: EditView): string {
  if (base === 'unknown')
    return 'what it was generated as is not known, so this is how mcpgen would change your file.';
  if (changes === '') return 'what mcpgen would write has not changed.';
  if (base === 'lock') return 'mcpgen.lock holds what it was made from.';
  return base === 'git' ? `it was generated as it is in commit ${commit.slice(0, 12)} of git.` : '';
}

function renderTitledDiff(title: string, diff: string, verbose: boolean): string {
  return diff === '' ? '' : `${title}:\n${renderDiffText(diff, verbose)}`;
}

export function renderDiffs(diffs: readonly FileDiff[], verbose: boolean): string {
  return diffs.map(({ diff }) => renderDiffText(diff, verbose)).join('');
}

function renderDiffText(diff: string, verbose: boolean): string {
  const lines = diff.trimEnd().split('\n');
  const shown = verbose ? lines : lines.slice(0, SHOWN_LINES).map(shortenLine);
  const more = lines.length - shown.length;
  const rest = more === 0 ? [] : [`… ${formatCountWithNoun(more, 'more line')} (--verbose shows all)`];
  return [...shown.map(escapeInvisible), ...rest].map((line) => `${line}\n`).join('');
}

function shortenLine(line: string): string {
  return line.length > SHOWN_COLUMNS ? `${line.slice(0, SHOWN_COLUMNS)}…` : line;
}
