import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import type { FindingRow } from '../src/preview/protocol.ts';
import { htm } from './htm.ts';
import { Empty, FailureNote, Score, Segmented, plural } from './parts/basics.ts';
import { FindingItem, FixButton } from './parts/finding-item.ts';
import { createLoader, generation, ofServer, server } from './state.ts';

const { data, problem, load } = createLoader('GET /api/findings');

type Shown = FindingRow['severity'] | 'all' | 'fixable';

const shown = signal<Shown>('all');

const SEVERITIES = ['error', 'warning', 'info'] as const;

/** Findings of one rule at a time, the gravest rules first. */
const groups = computed(() => {
  const chosen = (data.value?.findings ?? []).filter(isShown);
  const byRule = [...Map.groupBy(chosen, ({ code }) => code).values()];
  return byRule.toSorted((a, b) => rank(a) - rank(b) || b.length - a.length);
});

function isShown({ severity, isFixable }: FindingRow): boolean {
  return shown.value === 'all' || (shown.value === 'fixable' ? isFixable : severity === shown.value);
}

function rank([first]: readonly FindingRow[]): number {
  return first === undefined ? 0 : SEVERITIES.indexOf(first.severity);
}

export function FindingsPage() {
  useEffect(() => void load(ofServer()), [generation.value, server.value]);
  const view = data.value;
  if (problem.value !== undefined) return htm`<${FailureNote} failure=${problem.value} />`;
  if (view === undefined) return htm`<${Empty}>Judging …<//>`;
  const fixable = view.findings.filter(({ isFixable }) => isFixable).length;
  return htm`<div class="page-scroll findings" tabindex="-1">
    <header class="page-head">
      <h1>${plural(view.findings.length, 'finding')}</h1>
      ${view.score !== undefined && htm`<span>score <${Score} score=${view.score} /></span>`}
      <${Segmented} label="Findings" value=${shown.value} choices=${choices(view.findings)} onChange=${(to: Shown) => (shown.value = to)} />
      <span class="spacer"></span>
      ${fixable > 0 && htm`<${FixButton} label=${`Fix all ${fixable}`} />`}
    </header>
    ${groups.value.length === 0 && htm`<${Empty}>Nothing found.<//>`}
    ${groups.value.map((group) => htm`<${Group} key=${group[0]?.code} group=${group} isOpen=${groups.value.length < 6} />`)}
  </div>`;
}

function choices(findings: readonly FindingRow[]) {
  const counted = SEVERITIES.map((value) => ({
    value,
    label: plural(findings.filter(({ severity }) => severity === value).length, NOUNS[value]),
  }));
  return [{ value: 'all', label: 'All' }, ...counted, { value: 'fixable', label: 'Fixable' }];
}

const NOUNS: Record<FindingRow['severity'], string> = { error: 'error', warning: 'warning', info: 'note' };

const MOST = 100;

function Group({ group, isOpen }: { group: readonly FindingRow[]; isOpen: boolean }) {
  const [first] = group;
  if (first === undefined) return null;
  const { code, name, severity } = first;
  const fixable = [...new Set(group.filter(({ isFixable }) => isFixable).flatMap(({ tools }) => tools))];
  return htm`<details class="finding-group" open=${isOpen}>
    <summary><span class=${`severity f-${severity}`}>${severity}</span> <strong>${name}</strong> <span class="code-name">${code}</span> <span class="muted">${group.length}</span></summary>
    ${fixable.length > 0 && htm`<p><${FixButton} label=${`Fix in ${plural(fixable.length, 'tool')}`} tools=${fixable} /></p>`}
    ${group.slice(0, MOST).map((finding) => htm`<${FindingItem} finding=${finding} isGrouped />`)}
    ${group.length > MOST && htm`<p class="note">${plural(group.length - MOST, 'further finding')} not shown.</p>`}
  </details>`;
}
