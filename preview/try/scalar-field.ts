import { useId } from 'preact/hooks';

import type { Json, JsonSchemaObject } from '../../src/util/json-schema.ts';
import { classes, htm } from '../htm.ts';
import { Prose } from '../parts/basics.ts';
import { printJson } from '../json.ts';
import { notifyError } from '../state.ts';
import type { FieldProperties } from './fields.ts';
import { type Shape, hintsOf, problemOf } from './schema.ts';

type Properties = FieldProperties & { shape: Shape; isNameHidden?: boolean };

export function ScalarField(properties: Properties) {
  const { name, schema, value, isRequired, shape, isNameHidden = false } = properties;
  const id = useId();
  const problem = problemOf(value, schema, isRequired);
  const hints = [
    shape.kind === 'enum' || shape.kind === 'const' ? '' : shape.kind,
    ...hintsOf(schema),
  ].filter(Boolean);
  return htm`<div class=${classes('field', problem !== undefined && value !== undefined && 'is-bad', value === undefined && 'is-absent')}>
    <label class=${classes('field-head', isNameHidden && 'hidden')} for=${id}><span class="field-name"><code>${name}</code></span>${isRequired && htm`<span class="tag">required</span>`}<span class="muted">${hints.join(' · ')}</span></label>
    <${Input} ...${properties} id=${id} />
    ${problem !== undefined && value !== undefined && htm`<p class="field-problem">${problem}</p>`}
    ${typeof schema.description === 'string' && !isNameHidden && htm`<p class="field-help"><${Prose} text=${schema.description} /></p>`}
  </div>`;
}

type InputProperties = Properties & { id: string };

function Input(properties: InputProperties) {
  const { shape, schema } = properties;
  if (shape.kind === 'const') return htm`<${Choices} ...${properties} values=${[shape.value]} />`;
  if (shape.kind === 'enum') return htm`<${Choices} ...${properties} values=${shape.values} />`;
  if (shape.kind === 'boolean') return htm`<${Choices} ...${properties} values=${[true, false]} />`;
  if (shape.kind === 'null') return htm`<${Choices} ...${properties} values=${[null]} />`;
  if (isBinary(schema)) return htm`<${BinaryInput} ...${properties} />`;
  return htm`<${TextInput} ...${properties} />`;
}

/** Values are told apart by their JSON, since `1` and `"1"` look alike. */
function Choices({ id, value, values, isRequired, onChange }: InputProperties & { values: Json[] }) {
  const chosen = value === undefined ? '' : printJson(value);
  const change = (event: Event): void => {
    const text = (event.currentTarget as HTMLSelectElement).value;
    onChange(text === '' ? undefined : values.find((each) => printJson(each) === text));
  };
  const isForeign = chosen !== '' && !values.some((each) => printJson(each) === chosen);
  return htm`<select id=${id} value=${chosen} onChange=${change}>
    ${(!isRequired || value === undefined) && htm`<option value="" selected=${chosen === ''}>—</option>`}
    ${isForeign && htm`<option value=${chosen} selected>${chosen} (not allowed)</option>`}
    ${values.map((each) => htm`<option value=${printJson(each)} selected=${printJson(each) === chosen}>${typeof each === 'string' ? each : printJson(each)}</option>`)}
  </select>`;
}

const INPUT_TYPES: Record<string, string> = { date: 'date', password: 'password' };

const FORMS: Record<string, string> = {
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'name@example.com',
  uri: 'https://example.com/',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  hostname: 'example.com',
};

function TextInput({ id, schema, shape, value, onChange }: InputProperties) {
  const isNumber = shape.kind === 'number' || shape.kind === 'integer';
  const text = value === undefined ? '' : typeof value === 'string' ? value : printJson(value);
  const examples = (schema.examples ?? []).filter(
    (each) => typeof each === 'string' || typeof each === 'number',
  );
  const sample = schema.default ?? examples[0] ?? FORMS[schema.format ?? ''];
  const change = (event: Event): void => {
    const next = (event.currentTarget as HTMLInputElement).value;
    onChange(next === '' ? undefined : isNumber ? readNumber(next) : next);
  };
  const placeholder =
    sample === undefined ? '' : `e.g. ${typeof sample === 'string' ? sample : printJson(sample)}`;
  const isLong = !isNumber && ((schema.maxLength ?? 0) > 300 || text.includes('\n') || text.length > 80);
  if (isLong)
    return htm`<textarea id=${id} rows="3" value=${text} placeholder=${placeholder} onInput=${change}></textarea>`;
  const list = examples.length > 1 ? `${id}-examples` : undefined;
  return htm`<input id=${id} type=${(shape.kind === 'string' && INPUT_TYPES[schema.format ?? '']) || 'text'} inputmode=${isNumber ? 'decimal' : undefined} list=${list} value=${text} placeholder=${placeholder} autocomplete="off" spellcheck=${false} onInput=${change} />
    ${list !== undefined && htm`<datalist id=${list}>${examples.map((each) => htm`<option value=${String(each)} />`)}</datalist>`}`;
}

/** Text that is no number stays text, so that the person sees it and may go on. */
function readNumber(text: string): Json {
  const trimmed = text.trim();
  const number = Number(trimmed);
  if (!/^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return text;
  // JSON keeps the digits of such integers, see `json.ts`.
  return /^-?\d+$/.test(trimmed) && !Number.isSafeInteger(number)
    ? (BigInt(trimmed) as unknown as Json)
    : number;
}

/** Listed tools say in words that a text is Base64, since clients refuse unknown keywords. */
function isBinary({ contentEncoding, format, description = '' }: JsonSchemaObject): boolean {
  if (contentEncoding?.toLowerCase() === 'base64' || format === 'byte' || format === 'binary') return true;
  return /\bbytes as base64\b/i.test(description);
}

function BinaryInput({ id, value, onChange }: InputProperties) {
  const text = typeof value === 'string' ? value : '';
  const choose = (event: Event): void => {
    const [file] = (event.currentTarget as HTMLInputElement).files ?? [];
    if (file !== undefined) void readFile(file).then(onChange, notifyError);
  };
  const change = (event: Event): void => {
    const next = (event.currentTarget as HTMLTextAreaElement).value;
    onChange(next === '' ? undefined : next);
  };
  return htm`<div class="binary"><textarea id=${id} rows="2" value=${text} placeholder="Base64" spellcheck=${false} onInput=${change}></textarea>
    <label class="file">File <input type="file" onChange=${choose} /></label></div>`;
}

/** @returns Base64 */
function readFile(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const url = typeof reader.result === 'string' ? reader.result : '';
      resolve(url.slice(url.indexOf(',') + 1));
    };
    reader.onerror = () => reject(new Error(`${file.name} could not be read.`));
    reader.readAsDataURL(file);
  });
}
