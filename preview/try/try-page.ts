import { useEffect } from 'preact/hooks';

import { SURFACE_TOOLS } from '../../src/model/listed-items.ts';
import { classes, htm } from '../htm.ts';
import { Segmented } from '../parts/basics.ts';
import { Dialog } from '../parts/dialog.ts';
import { JsonText } from '../parts/json-text.ts';
import { active, go, route, surface } from '../state.ts';
import { ToolList } from '../surface/tool-list-view.ts';
import { Answer } from './answer.ts';
import {
  type Kind,
  type Target,
  asked,
  confirmCall,
  kind,
  labelOf,
  origins,
  shownId,
  target,
  tried,
  isFailed,
} from './calls.ts';
import { CompletionCall, PromptCall, ResourceCall, chosenItem } from './other-calls.ts';
import { ToolCall } from './tool-call.ts';

const KINDS = [
  { value: 'tool', label: 'Tools' },
  { value: 'prompt', label: 'Prompts' },
  { value: 'resource', label: 'Resources' },
  { value: 'completion', label: 'Completion' },
] as const;

const TARGETS = [
  { value: 'mock', label: 'Mock' },
  { value: 'api', label: 'API' },
] as const;

export function TryPage() {
  const { item } = route.value;
  useEffect(() => {
    if (item !== undefined) kind.value = 'tool';
  }, [item]);
  return htm`<div class=${classes('try-page', target.value === 'api' && 'is-api')}>
    <section class="pane rail" aria-label="Choose">
      <div class="rail-head"><${Segmented} label="Call" value=${kind.value} choices=${KINDS} onChange=${(to: Kind) => (kind.value = to)} /></div>
      <${Choose} />
      <${History} />
    </section>
    <div class="try-main">
      <div class="target" role="group" aria-label="Where calls go">
        <${Segmented} label="Target" value=${target.value} choices=${TARGETS} onChange=${(to: Target) => (target.value = to)} />
        ${target.value === 'api' ? htm`<p class="is-danger" role="status">Calls reach <strong>${origins.value}</strong></p>` : htm`<p class="muted">Answers are made up from the source; nothing is called.</p>`}
      </div>
      <div class="try-columns">
        <section class="pane column" aria-label="Call"><${Form} /></section>
        <section class="pane column" aria-label="Answer"><${Answer} /></section>
      </div>
    </div>
    ${asked.value !== undefined && htm`<${Confirm} />`}
  </div>`;
}

function Form() {
  switch (kind.value) {
    case 'tool':
      return htm`<${ToolCall} name=${route.value.item ?? active.value} key=${route.value.item ?? active.value} />`;
    case 'prompt':
      return htm`<${PromptCall} />`;
    case 'resource':
      return htm`<${ResourceCall} />`;
    case 'completion':
      return htm`<${CompletionCall} />`;
  }
}

function Choose() {
  const view = surface.value;
  if (view === undefined) return null;
  if (kind.value === 'prompt')
    return htm`<${Items} label="Prompts" none="There are no prompts." items=${view.prompts.map(({ name }) => name)} />`;
  if (kind.value === 'resource')
    return htm`<${Items} label="Resources" none="There are no resources." items=${view.resources.map(({ uri }) => uri)} />`;
  if (kind.value === 'completion')
    return htm`<p class="note">Values that a client suggests while a person types.</p>`;
  const hasSearch =
    view.tools.some(({ isListed }) => !isListed) || ['search', 'both'].includes(view.settings.surface);
  return htm`${hasSearch && htm`<nav class="search-tools" aria-label="Search surface">${SURFACE_TOOLS.map((name) => htm`<a href=${`#/try/${name}`} class=${classes(route.value.item === name && 'is-on')}><code>${name}</code></a>`)}</nav>`}
    <${ToolList} opensAtOnce onOpen=${(to: string) => go('try', to)} />`;
}

function Items({ label, none, items }: { label: string; none: string; items: string[] }) {
  if (items.length === 0) return htm`<p class="note">${none}</p>`;
  return htm`<ul class="items-list" aria-label=${label}>${items.map((item) => htm`<li key=${item}><button type="button" class=${classes('bare', item === chosenItem.value && 'is-on')} aria-pressed=${item === chosenItem.value} onClick=${() => (chosenItem.value = item)}><code>${item}</code></button></li>`)}</ul>`;
}

function History() {
  if (tried.value.length === 0) return null;
  return htm`<details class="history" open><summary>History</summary><ol>${tried.value.map(
    (entry) =>
      htm`<li key=${entry.id}><button type="button" class=${classes('bare', entry.id === shownId.value && 'is-on')} onClick=${() => (shownId.value = entry.id)}><span class=${isFailed(entry) ? 'f-error' : 'is-good'}>${isFailed(entry) ? 'failed' : 'ok'}</span><code>${labelOf(entry.call)}</code><span class="muted">${entry.target}</span></button></li>`,
  )}</ol></details>`;
}

function Confirm() {
  const call = asked.value;
  if (call === undefined) return null;
  const cancel = (): void => {
    asked.value = undefined;
  };
  const actions = htm`<button type="button" onClick=${cancel}>Cancel</button><button type="button" class="danger" onClick=${confirmCall}>Call the API</button>`;
  return htm`<${Dialog} title="This call may change something" onClose=${cancel} actions=${actions}>
    <p><code>${labelOf(call)}</code> is no reading tool, and would be called on <strong class="is-danger">${origins.value}</strong>.</p>
    ${call.kind === 'tool' && htm`<${JsonText} value=${call.arguments} label="Arguments" />`}
  <//>`;
}
