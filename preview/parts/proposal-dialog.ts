import { useState } from 'preact/hooks';

import type { Proposal, ProposedFile } from '../../src/preview/protocol.ts';
import { type Shown, apply, shown } from '../changes.ts';
import { htm } from '../htm.ts';
import { surface } from '../state.ts';
import { count, plural } from './basics.ts';
import { ChangeList } from './change-list.ts';
import { Dialog } from './dialog.ts';
import { FindingItem } from './finding-item.ts';

/** What a change would write; nothing is written before Apply. */
export function ProposalDialog() {
  const change = shown.value;
  return change === undefined ? null : htm`<${Open} change=${change} key=${change.proposal.id} />`;
}

function Open({ change }: { change: Shown }) {
  const [isBusy, setBusy] = useState(false);
  const { files, problems } = change.proposal;
  const isEmpty = files.length === 0;
  const cancel = (): void => {
    shown.value = undefined;
  };
  const confirm = (): void => {
    setBusy(true);
    void apply(change);
  };
  const actions = htm`<${Totals} proposal=${change.proposal} />
    <button type="button" onClick=${cancel}>Cancel</button>
    ${!isEmpty && htm`<button type="button" class="primary" disabled=${isBusy} onClick=${confirm}>Apply</button>`}`;
  return htm`<${Dialog} title=${change.title} onClose=${cancel} actions=${actions} isWide>

    ${isEmpty && htm`<p class="note">These edits change no file.</p>`}
    ${files.map((file) => htm`<${FileDiff} key=${file.path} file=${file} />`)}
    ${problems.length > 0 && htm`<section><h3>${plural(problems.length, 'problem')} with it</h3>${problems.map((problem) => htm`<${FindingItem} finding=${problem} />`)}</section>`}
    <${ChangeList} changes=${change.proposal.after.changes} />
  <//>`;
}

function Totals({ proposal }: { proposal: Proposal }) {
  const { tools, tokens } = proposal.after;
  const now = surface.value;
  const before =
    now === undefined ? '' : `${plural(now.tools.length, 'tool')}, ${count(now.tokens.listed)} tokens → `;
  return htm`<p class="totals">${before}<strong>${plural(tools, 'tool')}, ${count(tokens)} tokens</strong></p>`;
}

function FileDiff({ file: { path, diff } }: { file: ProposedFile }) {
  return htm`<section class="file-diff">
    <h3><code>${path}</code></h3>
    <pre class="code diff" tabindex="0" role="region" aria-label=${`Difference of ${path}`}>${diff.map(
      (line) => htm`<span class=${`line d-${KINDS[line[0] ?? ' '] ?? 'same'}`}>${line}${'\n'}</span>`,
    )}</pre>
  </section>`;
}

const KINDS: Record<string, string> = { '+': 'added', '-': 'removed', '@': 'place' };
