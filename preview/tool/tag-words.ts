import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import type { EditableWords } from '../../src/preview/protocol.ts';
import { ask } from '../api.ts';
import { htm } from '../htm.ts';
import { Empty, Switch, plural } from '../parts/basics.ts';
import { generation, hrefOf, notifyError, ofServer, server, tools } from '../state.ts';
import { UNTAGGED } from '../surface/tool-list.ts';
import { TextField, draftOf } from './words.ts';

/** Each is a request. */
const MOST = 100;

const loaded = signal<readonly EditableWords[]>([]);

/** The descriptions of all tools of a tag below each other; one review writes them all. */
export function TagWords({ tag }: { tag: string }) {
  const rows = tools.value.filter(({ tags }) => (tags[0] ?? UNTAGGED) === tag);
  useEffect(() => {
    const requests = rows.slice(0, MOST).map(({ name }) => ask('GET /api/tool', { ...ofServer(), name }));
    void Promise.all(requests).then(
      (views) => (loaded.value = views.map(({ editable }) => editable)),
      notifyError,
    );
  }, [tag, generation.value, server.value]);
  const names = new Set(rows.map(({ name }) => name));
  return htm`<section class="pane column" aria-label="Words">
    <header class="pane-head"><h1>${tag}</h1><span class="muted">${plural(rows.length, 'tool')}, reviewed together</span></header>
    ${rows.length === 0 && htm`<${Empty}>No tool has this tag.<//>`}
    <div class="words-scroll" tabindex="0" role="region" aria-label="Editable words">
      ${loaded.value.filter(({ name }) => names.has(name)).map((editable) => htm`<${ToolWords} key=${editable.name} editable=${editable} />`)}
      ${rows.length > MOST && htm`<p class="note">${plural(rows.length - MOST, 'further tool')} not shown.</p>`}
    </div>
  </section>`;
}

function ToolWords({ editable }: { editable: EditableWords }) {
  const { draft, set } = draftOf(editable);
  const { name, description } = editable;
  return htm`<div class="argument">
    <${TextField} label=${name} isCode value=${draft.description} isChanged=${draft.description !== description} onInput=${(text: string) => set({ description: text })} />
    <${Switch} label="Excluded" title=${`Do not serve ${name}`} isOn=${draft.exclude} onChange=${(exclude: boolean) => set({ exclude })} />
    <a href=${hrefOf('tool', name)}>All words of the tool</a>
  </div>`;
}
