/** Prompts, resources and completion. */
import { computed, signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';

import type { JsonObject } from '../../src/util/json-schema.ts';
import { htm } from '../htm.ts';
import { Empty, Pick } from '../parts/basics.ts';
import { surface } from '../state.ts';
import { type Call, send } from './calls.ts';

/** The prompt's name, or the resource's URI. */
export const chosenItem = signal('');

export function PromptCall() {
  const prompts = surface.value?.prompts ?? [];
  const prompt = prompts.find(({ name }) => name === chosenItem.value) ?? prompts[0];
  const [values, setValues] = useState<Record<string, string>>({});
  if (prompt === undefined) return htm`<${Empty}>There are no prompts.<//>`;
  const given = (): Record<string, string> =>
    Object.fromEntries(prompt.arguments.flatMap((name) => (values[name] ? [[name, values[name]]] : [])));
  return htm`<${CallForm} title=${prompt.name} help=${prompt.description} call=${(): Call => ({ kind: 'prompt', name: prompt.name, arguments: given() })}>
    ${prompt.arguments.map((name) => htm`<${TextField} key=${name} name=${name} value=${values[name] ?? ''} onInput=${(text: string) => setValues({ ...values, [name]: text })} />`)}
  <//>`;
}

export function ResourceCall() {
  const resources = surface.value?.resources ?? [];
  const resource = resources.find(({ uri }) => uri === chosenItem.value) ?? resources[0];
  const [uri, setUri] = useState(resource?.uri ?? '');
  useEffect(() => setUri(resource?.uri ?? ''), [resource?.uri]);
  if (resource === undefined) return htm`<${Empty}>There are no resources.<//>`;
  return htm`<${CallForm} title=${resource.name} help=${resource.description} call=${(): Call => ({ kind: 'resource', uri })}>
    <${TextField} name="uri" value=${uri} onInput=${setUri} help=${resource.isTemplate ? 'Replace the parts in braces.' : ''} />
  <//>`;
}

interface Reference {
  value: string;
  label: string;
  ref: JsonObject;
  names: string[];
}

const references = computed<Reference[]>(() => {
  const { prompts = [], resources = [] } = surface.value ?? {};
  return [
    ...prompts
      .filter((prompt) => prompt.arguments.length > 0)
      .map((prompt) => ({
        value: `prompt ${prompt.name}`,
        label: `prompt ${prompt.name}`,
        ref: { type: 'ref/prompt', name: prompt.name },
        names: prompt.arguments,
      })),
    ...resources
      .filter(({ isTemplate }) => isTemplate)
      .map(({ uri }) => ({
        value: uri,
        label: uri,
        ref: { type: 'ref/resource', uri },
        names: [...uri.matchAll(/\{[+#./;?&]?([\w.]+)/g)].map(([, name = '']) => name),
      })),
  ];
});

export function CompletionCall() {
  const [chosen, setChosen] = useState('');
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const reference = references.value.find((each) => each.value === chosen) ?? references.value[0];
  if (reference === undefined) return htm`<${Empty}>There is nothing to complete.<//>`;
  const argument = reference.names.includes(name) ? name : (reference.names[0] ?? '');
  return htm`<${CallForm} title="completion/complete" call=${(): Call => ({ kind: 'completion', ref: reference.ref, argument: { name: argument, value } })}>
    <${Pick} label="of" value=${reference.value} options=${references.value} onChange=${setChosen} />
    <${Pick} label="argument" value=${argument} options=${reference.names} onChange=${setName} />
    <${TextField} name="typed so far" value=${value} onInput=${setValue} />
  <//>`;
}

interface CallFormProperties {
  title: string;
  help?: string | undefined;
  call: () => Call;
  children?: unknown;
}

function CallForm({ title, help, call, children }: CallFormProperties) {
  const submit = (event: Event): void => {
    event.preventDefault();
    send(call());
  };
  return htm`<form class="call" onSubmit=${submit} autocomplete="off">
    <header class="pane-head"><h2><code>${title}</code></h2><span class="spacer"></span><button type="submit" class="primary">Call</button></header>
    <div class="call-scroll" tabindex="0" role="region" aria-label="Arguments">${help && htm`<p class="field-help">${help}</p>`}<div class="fields">${children}</div></div>
  </form>`;
}

function TextField({
  name,
  value,
  onInput,
  help = '',
}: {
  name: string;
  value: string;
  onInput: (text: string) => void;
  help?: string;
}) {
  return htm`<div class="field"><label class="field-head"><span class="field-name"><code>${name}</code></span>
    <input value=${value} spellcheck=${false} onInput=${(event: Event) => onInput((event.currentTarget as HTMLInputElement).value)} /></label>
    ${help !== '' && htm`<p class="field-help">${help}</p>`}</div>`;
}
