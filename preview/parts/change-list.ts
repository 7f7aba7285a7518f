import type { Change } from '../../src/diff/surface-diff.ts';
import { htm } from '../htm.ts';
import { hrefOf, toolByName } from '../state.ts';
import { plural } from './basics.ts';

const MOST = 200;

/** Changes that clients see, breaking ones first. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return null;
  const sorted = changes.toSorted((a, b) => rank(a) - rank(b));
  return htm`<section><h3>${plural(changes.length, 'change')} that clients see</h3>
    <ul class="changes">${sorted.slice(0, MOST).map((change) => htm`<${ChangeItem} change=${change} />`)}</ul>
    ${sorted.length > MOST && htm`<p class="note">${plural(sorted.length - MOST, 'further change')} not shown.</p>`}
  </section>`;
}

function rank({ effect }: Change): number {
  return effect === 'breaking' ? 0 : 1;
}

export function ChangeItem({ change }: { change: Change }) {
  const { item, name, was, at, text, side, effect, texts } = change;
  const label = was === undefined ? name : `${was} → ${name}`;
  const isLink = item === 'tool' && toolByName.value.has(name);
  return htm`<li>
    <span class=${`effect e-${effect}`}>${effect}</span>
    <span class="muted">${item}</span>
    ${isLink ? htm`<a href=${hrefOf('tool', name)}><code>${label}</code></a>` : htm`<code>${label}</code>`}
    <span>${at !== undefined && htm`<code>${at}</code> `}${text}${side !== undefined && htm` <span class="muted">(${side})</span>`}</span>
    ${texts !== undefined && htm`<div class="side-by-side"><del class="d-removed">${texts.before ?? ''}</del><ins class="d-added">${texts.after ?? ''}</ins></div>`}
  </li>`;
}
