/** A form for a JSON Schema. The value is the only state, so that the raw JSON beside it is always the same. */
import { useId, useState } from 'preact/hooks';

import type { Json, JsonObject, JsonSchemaObject } from '../../src/util/json-schema.ts';
import { classes, htm } from '../htm.ts';
import { isObject, parseJson, printJson } from '../json.ts';
import { Prose, plural } from '../parts/basics.ts';
import { Icon } from '../parts/icons.ts';
import { MapField } from './map-field.ts';
import { ScalarField } from './scalar-field.ts';
import { type Shape, branchOf, firstValue, hintsOf, resolve, shapeOf } from './schema.ts';

export interface FieldProperties {
  name: string;
  schema: JsonSchemaObject;
  /** Holds the definitions that references name. */
  root: JsonSchemaObject;
  value: Json | undefined;
  /** `undefined` takes the value away. */
  onChange: (value: Json | undefined) => void;
  isRequired: boolean;
}

/** @param schema resolved */
export function Field(properties: FieldProperties) {
  const { name, schema, root, value, onChange, isRequired } = properties;
  const shape = shapeOf(schema, root);
  const isNested = ['object', 'array', 'branches', 'any'].includes(shape.kind);
  if (!isNested) return htm`<${ScalarField} ...${properties} shape=${shape} />`;
  const id = useId();
  const remove = !isRequired && value !== undefined;
  return htm`<div class="field is-nested" role="group" aria-labelledby=${id}>
    <p class="field-head"><span id=${id} class="field-name"><code>${name}</code></span>${isRequired && htm`<span class="tag">required</span>`}<span class="muted">${[shape.kind === 'branches' ? 'one of' : shape.kind, ...hintsOf(schema)].join(' · ')}</span>
      ${remove && htm`<button type="button" class="bare" aria-label=${`Remove ${name}`} onClick=${() => onChange(undefined)}><${Icon} name="close" /></button>`}</p>
    ${typeof schema.description === 'string' && htm`<p class="field-help"><${Prose} text=${schema.description} /></p>`}
    ${value === undefined ? htm`<button type="button" class="small" onClick=${() => onChange(firstValue(schema, root) ?? null)}><${Icon} name="plus" /> Add <span class="hidden">${name}</span></button>` : htm`<${Inside} ...${properties} shape=${shape} value=${value} />`}
  </div>`;
}

type InsideProperties = FieldProperties & { shape: Shape; value: Json };

function Inside(properties: InsideProperties) {
  const { shape, value } = properties;
  if (shape.kind === 'branches') return htm`<${BranchField} ...${properties} branches=${shape.branches} />`;
  if (shape.kind === 'array' && Array.isArray(value)) return htm`<${ArrayField} ...${properties} />`;
  if (shape.kind === 'object' && isObject(value)) return htm`<${ObjectFields} ...${properties} />`;
  return htm`<${RawField} ...${properties} />`;
}

const MOST_ABSENT = 12;

/** The members that a schema names, and any others that it allows. */
export function ObjectFields({
  schema,
  root,
  value,
  onChange,
}: Omit<FieldProperties, 'name' | 'isRequired'>) {
  const object = isObject(value) ? value : {};
  const names = Object.keys(schema.properties ?? {});
  const required = new Set(schema.required);
  const [showsAll, setShowsAll] = useState(false);
  const absent = names.filter((name) => !required.has(name) && object[name] === undefined);
  const isLong = absent.length > MOST_ABSENT && !showsAll;
  const left = new Set(isLong ? absent.slice(MOST_ABSENT) : []);
  const set = (name: string, next: Json | undefined): void => onChange(withMember(object, name, next, names));
  return htm`<div class="fields">
    ${names
      .filter((name) => !left.has(name))
      .map(
        (name) =>
          htm`<${Field} key=${name} name=${name} schema=${resolve(schema.properties?.[name], root)} root=${root} value=${own(object, name)} isRequired=${required.has(name)} onChange=${(next: Json | undefined) => set(name, next)} />`,
      )}
    ${isLong && htm`<button type="button" class="small" onClick=${() => setShowsAll(true)}>${plural(left.size, 'further member')}</button>`}
    ${isOpen(schema) && htm`<${MapField} schema=${schema} root=${root} object=${object} known=${names} onChange=${onChange} />`}
  </div>`;
}

/** Whether members beyond the named ones are meant: a map, or an object without a description. */
function isOpen({ additionalProperties, patternProperties, properties = {} }: JsonSchemaObject): boolean {
  if (isObject(additionalProperties) || patternProperties !== undefined || additionalProperties === true)
    return true;
  return additionalProperties === undefined && Object.keys(properties).length === 0;
}

function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** A copy with a member set or removed; members keep the order of the schema. */
function withMember(
  object: JsonObject,
  name: string,
  value: Json | undefined,
  order: readonly string[],
): JsonObject {
  const entries = new Map(Object.entries(object));
  if (value === undefined) entries.delete(name);
  else entries.set(name, value);
  const rank = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length);
  return Object.fromEntries([...entries].toSorted(([a], [b]) => rank(a) - rank(b)));
}

function BranchField(
  properties: InsideProperties & { branches: { label: string; schema: JsonSchemaObject }[] },
) {
  const { branches, root, value, onChange, name } = properties;
  const [chosen, setChosen] = useState(() => branchOf(value, branches, root));
  const branch = branches[Math.min(chosen, branches.length - 1)];
  const choose = (event: Event): void => {
    const index = Number((event.currentTarget as HTMLSelectElement).value);
    setChosen(index);
    onChange(firstValue(branches[index]?.schema, root) ?? null);
  };
  if (branch === undefined) return null;
  return htm`<div class="branch">
    <label class="pick"><span>kind</span><select aria-label=${`Kind of ${name}`} value=${chosen} onChange=${choose}>${branches.map(({ label }, index) => htm`<option value=${index} selected=${index === chosen}>${label}</option>`)}</select></label>
    <${Bare} key=${chosen} ...${properties} schema=${resolve(branch.schema, root)} isRequired=${true} />
  </div>`;
}

/** The field without its name, which stands above. */
function Bare(properties: InsideProperties) {
  const shape = shapeOf(properties.schema, properties.root);
  if (shape.kind === 'null') return null;
  return ['object', 'array', 'branches', 'any'].includes(shape.kind)
    ? htm`<${Inside} ...${properties} shape=${shape} />`
    : htm`<${ScalarField} ...${properties} shape=${shape} isNameHidden />`;
}

function ArrayField({ name, schema, root, value, onChange }: InsideProperties) {
  const list = Array.isArray(value) ? value : [];
  const schemaAt = (index: number): JsonSchemaObject =>
    resolve(schema.prefixItems?.[index] ?? schema.items, root);
  const isFull =
    list.length >= (schema.maxItems ?? Infinity) ||
    (schema.items === false && list.length >= (schema.prefixItems?.length ?? 0));
  return htm`<div class="items">
    ${list.map(
      (item, index) =>
        htm`<div class="item" key=${index}><${Field} name=${`${name}[${index}]`} schema=${schemaAt(index)} root=${root} value=${item} isRequired onChange=${(next: Json | undefined) => onChange(list.with(index, next ?? ''))} />
        <button type="button" class="bare" aria-label=${`Remove item ${index} of ${name}`} onClick=${() => onChange(list.toSpliced(index, 1))}><${Icon} name="close" /></button></div>`,
    )}
    <button type="button" class="small" disabled=${isFull} onClick=${() => onChange([...list, firstValue(schemaAt(list.length), root) ?? ''])}><${Icon} name="plus" /> Item <span class="hidden">of ${name}</span></button>
  </div>`;
}

/** Values that no field fits are written as JSON. */
function RawField({ name, value, onChange }: Pick<FieldProperties, 'name' | 'value' | 'onChange'>) {
  const [text, setText] = useState(() => printJson(value, 2));
  const [isBad, setBad] = useState(false);
  const change = (event: Event): void => {
    const next = (event.currentTarget as HTMLTextAreaElement).value;
    setText(next);
    try {
      onChange(parseJson(next));
      setBad(false);
    } catch {
      setBad(true);
    }
  };
  return htm`<textarea class=${classes('raw', isBad && 'is-bad')} aria-label=${`${name} as JSON`} aria-invalid=${isBad} rows="3" spellcheck=${false} value=${text} onInput=${change}></textarea>`;
}
