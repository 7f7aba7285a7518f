import { useState } from 'preact/hooks';

import type { SurfaceSettings, SurfaceView } from '../../src/preview/protocol.ts';
import {
  canSelect,
  change,
  draft,
  exclude,
  include,
  setExcluded,
  setHidden,
  surfaceMode,
} from '../changes.ts';
import { htm } from '../htm.ts';
import { Segmented, Switch, count, plural } from '../parts/basics.ts';
import { Icon } from '../parts/icons.ts';

interface Properties {
  view: SurfaceView;
  settings: SurfaceSettings;
}

export function Settings({ view, settings }: Properties) {
  return htm`<section class="pane settings" aria-label="Settings">
    <header class="pane-head"><h2>Surface</h2>
      <${Segmented} label="Surface" value=${surfaceMode.value} choices=${MODES} onChange=${(mode: SurfaceSettings['surface']) => change({ surface: mode })} />
    </header>
    <p class="note">${EXPLAINED[surfaceMode.value]}</p>
    ${canSelect.value && htm`<${Selection} view=${view} settings=${settings} />`}
    ${view.source.kind !== 'openapi' && htm`<p class="note">${FUNCTIONS}</p>`}
    ${settings.deselected.length > 0 && htm`<${Deselected} settings=${settings} />`}
    <${Features} settings=${settings} />
  </section>`;
}

const MODES = [
  { value: 'tools', label: 'All tools' },
  { value: 'search', label: 'Search' },
  { value: 'both', label: 'Both' },
  { value: 'auto', label: 'Auto' },
] as const;

const FUNCTIONS =
  'Functions have no tags or methods to select them by. Their switches in the list of tools hide single ones.';

const EXPLAINED: Record<SurfaceSettings['surface'], string> = {
  tools: 'Every tool is listed.',
  search: 'Five tools search, describe and call the others. Pinned tools are listed beside them.',
  both: 'Every tool is listed, and the five search tools.',
  auto: 'Search from the size on at which clients fail; else all tools.',
};

function Selection({ view, settings }: Properties) {
  const methods = new Map<string, number>();
  for (const { method } of view.tools)
    if (method !== undefined) methods.set(method.toUpperCase(), (methods.get(method.toUpperCase()) ?? 0) + 1);
  for (const method of leftOut('method')) if (!methods.has(method)) methods.set(method, 0);
  const known = new Set(settings.tags.map(({ name }) => name));
  const gone = leftOut('tag').filter((name) => !known.has(name));
  const tags = [...settings.tags, ...gone.map((name) => ({ name, tools: 0, tokens: 0 }))];
  return htm`<div class="setting-columns">
    <fieldset><legend>Methods</legend>
      <div class="switches">${[...methods].map(([method, tools]) => htm`<${SelectorSwitch} selector=${`method:${method}`} label=${method} detail=${count(tools)} />`)}</div>
    </fieldset>
    <fieldset class="tags"><legend>Tags</legend>
      <div class="switches">${tags.map(({ name, tools, tokens }) => htm`<${SelectorSwitch} key=${name} selector=${`tag:${name}`} label=${name} detail=${`${count(tools)} · ${count(tokens)}`} />`)}</div>
    </fieldset>
  </div>
  <${SelectorList} label="Include only" list=${include.value} onChange=${(list: string[]) => change({ include: list })} />
  <${SelectorList} label="Exclude" list=${exclude.value} onChange=${(list: string[]) => change({ exclude: list })} />`;
}

/** Values of excluding selectors, so that their switches stay. */
function leftOut(kind: 'method' | 'tag'): string[] {
  return exclude.value.flatMap((selector) =>
    selector.startsWith(`${kind}:`) ? [selector.slice(kind.length + 1)] : [],
  );
}

function SelectorSwitch({ selector, label, detail }: { selector: string; label: string; detail: string }) {
  const isOn = !exclude.value.includes(selector);
  return htm`<div class="switch-row"><${Switch} label=${label} isOn=${isOn} onChange=${(on: boolean) => setExcluded(selector, !on)} /><span class="muted">${detail}</span></div>`;
}

const SELECTOR = /^(tag|path|op|method):\s*\S/;

/** Selectors as the command line takes them. */
function SelectorList({
  label,
  list,
  onChange,
}: {
  label: string;
  list: string[];
  onChange: (list: string[]) => void;
}) {
  const [text, setText] = useState('');
  const isBad = text !== '' && !SELECTOR.test(text);
  const add = (event: Event): void => {
    event.preventDefault();
    if (!SELECTOR.test(text)) return;
    if (!list.includes(text.trim())) onChange([...list, text.trim()]);
    setText('');
  };
  return htm`<form class="selectors" onSubmit=${add}>
    <span class="selectors-label">${label}</span>
    ${list.map((selector) => htm`<span class="chip" key=${selector}><code>${selector}</code><button type="button" class="bare" aria-label=${`Remove ${selector}`} onClick=${() => onChange(list.filter((each) => each !== selector))}><${Icon} name="close" /></button></span>`)}
    <input aria-label=${`${label}: add a selector`} placeholder="tag:… path:/…/** op:… method:…" value=${text} aria-invalid=${isBad} onInput=${(event: Event) => setText((event.currentTarget as HTMLInputElement).value)} />
  </form>`;
}

const MOST = 300;

/** Hidden tools can be served again here; those that a selector leaves out need its removal. */
function Deselected({ settings }: { settings: SurfaceSettings }) {
  const { deselected } = settings;
  const hidden = draft.value.hidden ?? {};
  const isSelected = include.value.length > 0 || exclude.value.length > 0;
  return htm`<details><summary>${plural(deselected.length, canSelect.value ? 'operation' : 'function')} left out</summary>
    ${isSelected && htm`<p class="note">A switch serves what is hidden. What a selector leaves out comes back when the selector is removed.</p>`}
    <ul class="deselected">${deselected
      .slice(0, MOST)
      .map(
        ({ key, tags }) =>
          htm`<li key=${key} class="switch-row"><${Switch} label=${key} isOn=${hidden[key] === false} onChange=${(isOn: boolean) => setHidden(key, isOn ? false : undefined)} /><span class="muted">${tags.join(', ')}</span></li>`,
      )}</ul>
    ${deselected.length > MOST && htm`<p class="note">${plural(deselected.length - MOST, 'further operation')} not shown.</p>`}
  </details>`;
}

function Features({ settings: { features } }: { settings: SurfaceSettings }) {
  if (features.length === 0) return null;
  const drafted = draft.value.features ?? {};
  const set = (name: string, isOn: boolean): void =>
    change({ features: { ...draft.value.features, [name]: isOn } });
  return htm`<fieldset><legend>Features</legend>
    <div class="switches features">${features.map(
      ({ name, title, isOn, isNeeded }) =>
        htm`<div class="switch-row" key=${name}><${Switch} label=${name} title=${title} isOn=${drafted[name] ?? isOn} isDisabled=${isNeeded} onChange=${(on: boolean) => set(name, on)} /><span class="muted">${isNeeded ? 'needed' : ''}</span></div>`,
    )}</div>
  </fieldset>`;
}
