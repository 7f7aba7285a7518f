import { signal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';

import type { ClientName } from '../../src/model/client-profiles.ts';
import type { ToolView, WordOrigin } from '../../src/preview/protocol.ts';
import { htm } from '../htm.ts';
import {
  AccessBadge,
  Empty,
  FailureNote,
  MethodBadge,
  Pick,
  Prose,
  Score,
  coloured,
  count,
  plural,
} from '../parts/basics.ts';
import { FindingItem } from '../parts/finding-item.ts';
import { Icon } from '../parts/icons.ts';
import { JsonText } from '../parts/json-text.ts';
import { SourceText } from '../parts/source-text.ts';
import { TAG, active, createLoader, generation, go, hrefOf, ofServer, route, server } from '../state.ts';
import { ToolList } from '../surface/tool-list-view.ts';
import { PARTS } from '../surface/treemap.ts';
import { TagWords } from './tag-words.ts';
import { Words } from './words.ts';

const { data, problem, load } = createLoader('GET /api/tool');

const client = signal<ClientName | ''>('');
const revision = signal('');

export function ToolPage() {
  const name = route.value.item ?? active.value;
  const tag = name.startsWith(TAG) ? name.slice(TAG.length) : undefined;
  useEffect(() => {
    if (name === '' || tag !== undefined) return;
    const takes: Parameters<typeof load>[0] = { ...ofServer(), name };
    if (client.value !== '') takes.client = client.value;
    if (revision.value !== '') takes.revision = revision.value;
    void load(takes);
  }, [name, client.value, revision.value, generation.value, server.value]);
  const view = data.value;
  return htm`<div class="tool-page">
    <section class="pane rail" aria-label="Tools"><${ToolList} opensAtOnce onOpen=${(to: string) => go('tool', to)} /></section>
    <div class="tool-main">
      ${tag !== undefined && htm`<${TagWords} key=${name} tag=${tag} />`}
      ${tag === undefined && problem.value !== undefined && htm`<${FailureNote} failure=${problem.value} />`}
      ${view?.row.name === name && htm`<${Tool} key=${name} view=${view} />`}
      ${name === '' && htm`<${Empty}>Choose a tool.<//>`}
    </div>
  </div>`;
}

function Tool({ view }: { view: ToolView }) {
  const [pointer, setPointer] = useState<string>();
  const { source, listed, origins, findings, notes } = view;
  const byPointer = useMemo(() => new Map(origins.map((origin) => [origin.pointer, origin])), [origins]);
  const cited = useMemo(
    () => new Set(origins.flatMap(({ line, file }) => citedLine(line, file, source))),
    [origins, source],
  );
  const line =
    pointer === undefined
      ? undefined
      : citedLine(byPointer.get(pointer)?.line, byPointer.get(pointer)?.file, source)[0];
  const point = (to: WordOrigin | undefined): void => {
    if (to !== undefined) setPointer(to.pointer);
  };
  return htm`<${Head} view=${view} />
    <div class="columns">
      <section class="pane column" aria-label="Source">
        <header class="pane-head"><h2>Source</h2><span class="muted place" title=${source.file}>${source.file}:${source.firstLine}</span></header>
        <${SourceText} source=${source} marked=${line} cited=${cited} />
      </section>
      <section class="pane column" aria-label="As listed">
        <header class="pane-head"><h2>Listed</h2>
          <${Pick} label="for" value=${client.value} options=${[{ value: '', label: 'any client' }, ...view.clients]} onChange=${(to: ClientName | '') => (client.value = to)} />
          <${Pick} label="revision" isLabelHidden value=${revision.value} options=${[{ value: '', label: 'newest' }, ...view.revisions]} onChange=${(to: string) => (revision.value = to)} />
        </header>
        ${notes.length > 0 && htm`<ul class="notes">${notes.map((note) => htm`<li><${Prose} text=${note} /></li>`)}</ul>`}
        <${JsonText} value=${listed} label="The tool as listed" marked=${pointer} onPoint=${(to: string) => point(byPointer.get(to))} />
      </section>
      <section class="pane column" aria-label="Words">
        <header class="pane-head"><h2>Words</h2><span class="muted">${view.editable.file === undefined ? 'edits need a project' : `edits go to ${view.editable.file}`}</span></header>
        <${Words} view=${view} onPoint=${point} />
      </section>
    </div>
    ${findings.length > 0 && htm`<details class="tool-findings"><summary>${plural(findings.length, 'finding')}</summary>${findings.map((finding) => htm`<${FindingItem} finding=${finding} />`)}</details>`}`;
}

/** The line if the source column has it. */
function citedLine(line: number | undefined, file: string | undefined, source: ToolView['source']): number[] {
  if (line === undefined || (file !== undefined && file !== source.file)) return [];
  return line >= source.firstLine && line < source.firstLine + source.lines.length ? [line] : [];
}

const COLOURS = { name: 'patch', description: 'get', input: 'post', output: 'put', annotations: 'other' };

function Head({ view: { row, editable } }: { view: ToolView }) {
  const { tokens } = row;
  return htm`<header class="tool-head">
    <h1><${MethodBadge} row=${row} /><code>${row.name}</code>${row.pin && htm`<${Icon} name="pin" />`}</h1>
    <span class="muted place">${row.origin}</span>
    <${AccessBadge} access=${row.access} />
    ${editable.exclude && htm`<span class="tag">excluded</span>`}
    <span class="spacer"></span>
    <${Score} score=${row.score} />
    <span class="parts" role="img" aria-label=${PARTS.map((part) => `${part} ${tokens[part]} tokens`).join(', ')}>
      ${PARTS.map((part) => tokens[part] > 0 && htm`<i title=${`${part}: ${plural(tokens[part], 'token')}`} style=${{ ...coloured(COLOURS[part]), flexGrow: tokens[part] }}></i>`)}
    </span>
    <span><strong>${count(tokens.total)}</strong> tokens</span>
    <a class="button" href=${hrefOf('try', row.name)}><${Icon} name="play" /> Try</a>
  </header>`;
}
