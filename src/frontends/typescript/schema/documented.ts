import { tryParseJsonExactly } from '../../../util/try-parse-json.ts';
import type { JsonSchemaObject } from '../../../util/json-schema.ts';
import { isSchemaObject } from '../../../model/schema-walk.ts';
import { applyDocs } from '../docs/apply-tags.ts';
import type { DocTag, Docs } from '../docs/doc-text.ts';
import { schemaName } from '../standard/find-export.ts';
import { isConstraint } from '../tags/tag-registry.ts';
import {
  type Form,
  type NamedSchema,
  type NoForm,
  type Reading,
  type ReportAt,
  hasForm,
  makeFaultySchema,
} from './form.ts';
import { formOfAnything } from './primitive-form.ts';
import { findMisshapen, findRoundedNumber } from './schema-shapes.ts';

/** `@schema` replaces the schema of any type. */
export function readFormAndApplyDocs(
  ownDocs: Docs,
  reading: Reading,
  read: () => Form | NoForm,
): Form | NoForm {
  const schemaTag = ownDocs.tags.find(({ name }) => name === 'schema');
  const namedSchema = schemaTag && findNamedSchema(schemaTag, reading);
  const schema = namedSchema?.schema ?? parseSchemaTag(schemaTag, reading);
  const docs = namedSchema?.isChecked === true ? dropConstraintTags(ownDocs, reading) : ownDocs;
  const form =
    schema === undefined
      ? read()
      : namedSchema?.isChecked === true
        ? { schema }
        : replaceFormSchema(schema, reading, read);
  if (!hasForm(form)) {
    // The tags may have faults of their own.
    applyDocs({}, docs, new Set(), reading.tell, []);
    return form;
  }
  const types = reading.jsonTypesOf(form.schema);
  if (schema !== undefined && schemaTag !== undefined)
    reading.notes.schemas.push({
      schema: form.schema,
      original: { ...schema },
      tag: schemaTag,
      direction: reading.direction,
    });
  applyDocs(form.schema, docs, types, reading.tell, reading.notes.examples);
  const dated: Form =
    form.codec?.kind === 'date' && form.schema.format === 'date'
      ? { ...form, codec: { kind: 'date', form: 'date' } }
      : form;
  const tag = docs.tags.find(({ name }) => name === 'default') ?? schemaTag;
  if (tag !== undefined && dated.schema.default !== undefined)
    reading.notes.defaults.push({ form: dated, at: tag });
  return dated;
}

function findNamedSchema(tag: DocTag, { direction, readNamed: read }: Reading): NamedSchema | undefined {
  if (read === undefined || schemaName(tag) === undefined) return undefined;
  const { schema, isChecked } = read(tag, direction);
  return { schema, isChecked: isChecked && direction === 'input' };
}

/** Reports and drops tags beside a schema that a library checks: clients would see them, and nothing would enforce them. */
function dropConstraintTags(docs: Docs, { tell }: Reading): Docs {
  const idle = docs.tags.filter(({ name }) => name === 'default' || isConstraint(name));
  for (const tag of idle)
    tell('idle-tag', { tag: tag.name, because: 'the schema that `@schema` names decides alone' }, tag);
  return { ...docs, tags: docs.tags.filter((tag) => !idle.includes(tag)) };
}

/** The type's codec still revives the value, if the type has a form. */
function replaceFormSchema(schema: JsonSchemaObject, reading: Reading, read: () => Form | NoForm): Form {
  const form = reading.readQuietly(read);
  return { ...(hasForm(form) ? form : formOfAnything()), schema };
}

/** A schema with a fault becomes `{}`, which accepts anything. */
function parseSchemaTag(tag: DocTag | undefined, { tell }: Reading): JsonSchemaObject | undefined {
  if (tag === undefined) return undefined;
  const value = tryParseJsonExactly(tag.text);
  if (!isSchemaObject(value)) {
    const expected = 'a JSON Schema object, or the name of an exported schema';
    tell('bad-tag', { tag: 'schema', problem: `needs ${expected}, but its value is "${tag.text}"` }, tag);
    return undefined;
  }
  const problem = findMisshapen(value) ?? findRoundedNumber(value);
  if (problem !== undefined) tellBadSchema(problem, tag, tell);
  return problem === undefined ? value : makeFaultySchema();
}

export function tellBadSchema(problem: string, tag: DocTag, tell: ReportAt): void {
  const fix = 'Correct it according to JSON Schema 2020-12.';
  tell('bad-tag', { tag: 'schema', problem: `is not a valid JSON Schema: ${problem}`, fix }, tag);
}
