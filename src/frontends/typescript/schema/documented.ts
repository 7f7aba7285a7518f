import type { ts } from 'ts-morph';
import type { JsonSchemaObject, JsonType } from '../../../../templates/runtime/contract/json-schema.ts';
import { isSchemaObject } from '../../../model/schema-walk.ts';
import { applyDocs } from '../docs/apply-tags.ts';
import type { Docs, DocTag } from '../docs/doc-text.ts';
import { jsonIn } from '../docs/read-value.ts';
import { type Form, hasForm, type NoForm, type Place, type Reading } from './form.ts';
import { jsonTypesOf } from './json-types.ts';
import { anything } from './primitive-form.ts';
import { misshapen, roundedIn } from './schema-shapes.ts';

export function documented(type: ts.Type, docs: Docs, place: Place, reading: Reading): Form | NoForm {
  return withDocs(type, docs, reading, () => reading.read(type, place));
}

/** Adds docs to a form. `@schema` replaces the schema of any type. */
export function withDocs(
  type: ts.Type,
  docs: Docs,
  reading: Reading,
  read: () => Form | NoForm,
  jsonTypes = (): ReadonlySet<JsonType> => jsonTypesOf(type, reading),
): Form | NoForm {
  const schemaTag = docs.tags.find(({ name }) => name === 'schema');
  const given = schemaOfTag(schemaTag, reading);
  const form = given === undefined ? read() : replaced(given, reading, read);
  if (!hasForm(form)) return form;
  const types = given === undefined ? jsonTypes() : new Set([given.type ?? []].flat());
  if (given !== undefined && schemaTag !== undefined)
    reading.noteSchema({ schema: form.schema, given: { ...given }, tag: schemaTag });
  applyDocs(form.schema, docs, types, reading);
  const dated = withDateForm(form);
  const tag = docs.tags.find(({ name }) => name === 'default') ?? schemaTag;
  if (tag !== undefined && dated.schema.default !== undefined) reading.noteDefault(dated, tag);
  return dated;
}

/** The value is still revived by its type, if that has a form. */
function replaced(schema: JsonSchemaObject, reading: Reading, read: () => Form | NoForm): Form {
  const { result: form } = reading.hold(read);
  return { ...(hasForm(form) ? form : anything()), schema };
}

function withDateForm(form: Form): Form {
  return form.codec?.kind === 'date' && form.schema.format === 'date'
    ? { ...form, codec: { kind: 'date', form: 'date' } }
    : form;
}

/** Reports an invalid tag. A schema with a fault becomes `{}`, which accepts anything. */
function schemaOfTag(tag: DocTag | undefined, { tell }: Reading): JsonSchemaObject | undefined {
  if (tag === undefined) return undefined;
  const value = jsonIn(tag.text);
  if (!isSchemaObject(value)) {
    tell('bad-tag-value', { tag: 'schema', value: tag.text, wanted: 'a JSON Schema object' }, tag);
    return undefined;
  }
  const problem = misshapen(value) ?? roundedIn(value);
  if (problem !== undefined) tell('bad-schema', { problem }, tag);
  return problem === undefined ? value : {};
}
