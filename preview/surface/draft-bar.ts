import { discard, edits, preview, previewProblem, reviewDraft, wordEdits } from '../changes.ts';
import { htm } from '../htm.ts';
import { Prose, count, plural } from '../parts/basics.ts';
import { surface } from '../state.ts';

/** What the switches and words would change, before anything is written. */
export function DraftBar() {
  const now = surface.value;
  if (edits.value.length === 0 || now?.compiled !== true) return null;
  const after = preview.value?.after;
  const problem = previewProblem.value;
  const words = wordEdits.value;
  const changed = words.reduce((sum, { set }) => sum + Object.keys(set).length, 0);
  return htm`<div class="draft-bar" role="status">
    ${problem !== undefined && htm`<p class="f-error"><${Prose} text=${`${problem.message} ${problem.hint ?? ''}`} /></p>`}
    ${words.length > 0 && htm`<p>${plural(changed, 'edit')} of ${words.length === 1 ? words[0]?.name : plural(words.length, 'tool')}</p>`}
    ${problem === undefined && after === undefined && htm`<p class="muted">Measuring …</p>`}
    ${
      after !== undefined &&
      htm`<p><strong class="after-tools">${plural(after.tools, 'tool')}</strong> <${Difference} before=${now.tools.length} after=${after.tools} /></p>
      <p><strong class="after-tokens">${count(after.tokens)} tokens</strong> <${Difference} before=${now.tokens.listed} after=${after.tokens} /></p>
      <p class="muted">${plural(preview.value?.problems.length ?? 0, 'problem')}, ${plural(after.changes.length, 'change')} that clients see</p>`
    }
    <span class="spacer"></span>
    <button type="button" onClick=${discard}>Discard</button>
    <button type="button" class="primary" onClick=${reviewDraft}>Review …</button>
  </div>`;
}

function Difference({ before, after }: { before: number; after: number }) {
  const by = after - before;
  if (by === 0) return htm`<span class="muted">unchanged</span>`;
  return htm`<span class=${by < 0 ? 'is-good' : 'f-warning'}>${by < 0 ? '−' : '+'}${count(Math.abs(by))}</span>`;
}
