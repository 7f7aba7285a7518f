import { useEffect, useState } from 'preact/hooks';

import type { Json, JsonObject, JsonSchemaObject } from '../../src/util/json-schema.ts';
import { listSurfaceTools } from '../../templates/runtime/features/search/tools.ts';
import type { ToolInfo } from '../../templates/runtime/types.ts';
import { classes, htm } from '../htm.ts';
import { isObject, parseJson, printJson } from '../json.ts';
import { AccessBadge, Empty, FailureNote, Prose } from '../parts/basics.ts';
import { createLoader, generation, hrefOf, ofServer, server, toolByName, tools } from '../state.ts';
import { kept, send } from './calls.ts';
import { ObjectFields } from './fields.ts';
import { firstObject, resolve } from './schema.ts';

const { data, problem, load } = createLoader('GET /api/tool');

export function ToolCall({ name }: { name: string }) {
  useEffect(() => {
    if (name !== '') void load({ ...ofServer(), name });
  }, [name, generation.value, server.value]);
  if (name === '') return htm`<${Empty}>Choose a tool.<//>`;
  const view = data.value;
  const isKnown = toolByName.value.has(name);
  if (problem.value !== undefined && isKnown) return htm`<${FailureNote} failure=${problem.value} />`;
  const isLoaded = view !== undefined && view.listed.name === name;
  if (!isLoaded && problem.value === undefined) return htm`<${Empty}>Loading …<//>`;
  const listed = isLoaded ? view.listed : (searchTool(name) ?? {});
  const schema = isObject(listed.inputSchema) ? (listed.inputSchema as JsonSchemaObject) : {};
  return htm`<${Open} name=${name} schema=${schema} description=${typeof listed.description === 'string' ? listed.description : ''} />`;
}

/** The tools of the search surface are the same for every server. */
function searchTool(name: string): ToolInfo | undefined {
  return listSurfaceTools('this server', tools.value.length, false).find((tool) => tool.name === name);
}

function Open({
  name,
  schema,
  description,
}: {
  name: string;
  schema: JsonSchemaObject;
  description: string;
}) {
  const [value, setValue] = useState<JsonObject>(
    () => kept.get(name) ?? firstObject(resolve(schema, schema), schema),
  );
  const [text, setText] = useState(() => printJson(value, 2));
  const [isBad, setBad] = useState(false);
  const access = toolByName.value.get(name)?.access;
  const set = (next: JsonObject): void => {
    kept.set(name, next);
    setValue(next);
  };
  const fromForm = (next: Json | undefined): void => {
    const object = isObject(next) ? next : {};
    set(object);
    setText(printJson(object, 2));
    setBad(false);
  };
  const fromText = (event: Event): void => {
    const written = (event.currentTarget as HTMLTextAreaElement).value;
    setText(written);
    const read = readObject(written);
    setBad(read === undefined);
    if (read !== undefined) set(read);
  };
  const call = (event: Event): void => {
    event.preventDefault();
    if (!isBad) send({ kind: 'tool', name, arguments: value });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) call(event);
  };
  return htm`<form class="call" onSubmit=${call} onKeyDown=${onKeyDown} novalidate autocomplete="off">
    <header class="pane-head"><h2><a href=${hrefOf('tool', name)}><code>${name}</code></a></h2>${access !== undefined && htm`<${AccessBadge} access=${access} />`}<span class="spacer"></span>
      <button type="button" class="small" onClick=${() => fromForm(firstObject(resolve(schema, schema), schema))}>Reset</button>
      <button type="submit" class="primary" disabled=${isBad}>Call</button></header>
    <div class="call-scroll" tabindex="0" role="region" aria-label="Arguments">
      ${description !== '' && htm`<details class="call-description"><summary><${Prose} text=${description.split('\n')[0] ?? ''} /></summary><p><${Prose} text=${description} /></p></details>`}
      <${ObjectFields} schema=${resolve(schema, schema)} root=${schema} value=${value} onChange=${fromForm} />
      ${Object.keys(schema.properties ?? {}).length === 0 && schema.additionalProperties === false && htm`<p class="note">It takes no arguments.</p>`}
      <label class=${classes('raw-json', isBad && 'is-bad')}><span>JSON${isBad && htm`<span class="f-error"> no JSON object</span>`}</span>
        <textarea class="raw" spellcheck=${false} rows=${Math.min(24, Math.max(4, text.split('\n').length))} aria-invalid=${isBad} value=${text} onInput=${fromText}></textarea></label>
    </div>
  </form>`;
}

function readObject(text: string): JsonObject | undefined {
  try {
    const read = parseJson(text);
    return isObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
