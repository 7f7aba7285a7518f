import { useState } from 'preact/hooks';

import type { Json, JsonObject, JsonSchemaObject } from '../../src/util/json-schema.ts';
import { htm } from '../htm.ts';
import { isObject } from '../json.ts';
import { Icon } from '../parts/icons.ts';
import { Field } from './fields.ts';
import { firstValue, resolve } from './schema.ts';

interface Properties {
  schema: JsonSchemaObject;
  root: JsonSchemaObject;
  object: JsonObject;
  /** Members that have fields of their own. */
  known: readonly string[];
  onChange: (value: Json) => void;
}

/** Members that the schema does not name: a map's entries. */
export function MapField({ schema, root, object, known, onChange }: Properties) {
  const [name, setName] = useState('');
  const others = Object.keys(object).filter((each) => !known.includes(each));
  const isTaken = name === '' || Object.hasOwn(object, name);
  const set = (key: string, value: Json | undefined): void =>
    onChange(
      Object.fromEntries(
        Object.entries(object).flatMap(([each, old]) =>
          each !== key ? [[each, old]] : value === undefined ? [] : [[each, value]],
        ),
      ),
    );
  const add = (): void => {
    if (isTaken) return;
    const value = firstValue(schemaOf(schema, name), root) ?? '';
    onChange(
      Object.fromEntries([
        ...Object.entries(object),
        [
          name,
          isObject(value) && Object.keys(value).length === 0 && !isObject(schema.additionalProperties)
            ? ''
            : value,
        ],
      ]),
    );
    setName('');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    add();
  };
  return htm`<div class="map-field">
    ${others.map((key) => htm`<${Field} key=${key} name=${key} schema=${resolve(schemaOf(schema, key), root)} root=${root} value=${object[key]} isRequired=${false} onChange=${(value: Json | undefined) => set(key, value)} />`)}
    <p class="map-add"><input aria-label="Name of a further member" placeholder="name" value=${name} spellcheck=${false} onInput=${(event: Event) => setName((event.currentTarget as HTMLInputElement).value)} onKeyDown=${onKeyDown} />
      <button type="button" class="small" disabled=${isTaken} onClick=${add}><${Icon} name="plus" /> Member</button></p>
  </div>`;
}

function schemaOf({ patternProperties = {}, additionalProperties }: JsonSchemaObject, name: string) {
  const matching = Object.entries(patternProperties).find(([pattern]) => matches(pattern, name));
  return matching?.[1] ?? additionalProperties;
}

function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name.slice(0, 100));
  } catch {
    return false;
  }
}
