import { ts } from 'ts-morph';

import type { JsonSchemaObject, JsonType } from '../../../../templates/runtime/contract/json-schema.ts';
import { isSchemaObject } from '../../../model/schema-walk.ts';
import { schemaName } from '../standard/find-export.ts';
import { applyDocs } from '../docs/apply-tags.ts';
import type { DocTag, Docs } from '../docs/doc-text.ts';
import { tryParseJsonExactly } from '../docs/read-value.ts';
import { isConstraint } from '../tags/tag-registry.ts';
import { isArrayOrTuple } from './array-form.ts';
import {
  type Form,
  type NamedSchema,
  type NoForm,
  type Place,
  type Reading,
  type ReportAt,
  hasForm,
  makeFaultySchema,
} from './form.ts';
import { libraryType } from './library-types.ts';
import { closeParameter, isOpenType, keyTypes, closeIfParameter } from './open-type.ts';
import { formOfAnything } from './primitive-form.ts';
import { findMisshapen, findRoundedNumber } from './schema-shapes.ts';
import { sortByDeclaration } from './type-order.ts';

export function readDocumented(type: ts.Type, docs: Docs, place: Place, reading: Reading): Form | NoForm {
  return readFormAndApplyDocs(type, docs, reading, () => reading.read(type, place));
}

/** `@schema` replaces the schema of any type. */
export function readFormAndApplyDocs(
  type: ts.Type,
  ownDocs: Docs,
  reading: Reading,
  read: () => Form | NoForm,
  jsonTypes = (): ReadonlySet<JsonType> => findJsonTypes(type, reading),
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
    applyDocs({}, docs, new Set(), { tell: reading.tell, examples: [] });
    return form;
  }
  const types =
    docs.tags.length === 0 ? ANY : schema === undefined ? jsonTypes() : new Set([schema.type ?? []].flat());
  if (schema !== undefined && schemaTag !== undefined)
    reading.notedSchemas.push({ schema: form.schema, original: { ...schema }, tag: schemaTag });
  applyDocs(form.schema, docs, types, reading);
  const dated = useDateOnlyCodec(form);
  const tag = docs.tags.find(({ name }) => name === 'default') ?? schemaTag;
  if (tag !== undefined && dated.schema.default !== undefined)
    reading.defaults.push({ form: dated, at: tag });
  return dated;
}

/** Only tags depend on the types. */
const ANY: ReadonlySet<JsonType> = new Set();

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
  const { result: form } = reading.holdReports(read);
  return { ...(hasForm(form) ? form : formOfAnything()), schema };
}

function useDateOnlyCodec(form: Form): Form {
  return form.codec?.kind === 'date' && form.schema.format === 'date'
    ? { ...form, codec: { kind: 'date', form: 'date' } }
    : form;
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

export function findJsonTypes(type: ts.Type, reading: Reading): Set<JsonType> {
  const parts = type.isUnion() ? sortByDeclaration(type.types, reading.checker) : [type];
  const jsonTypes = new Set<JsonType>();
  for (const part of parts) {
    if (part.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) continue;
    const json = findJsonType(part, reading);
    if (json === undefined) return new Set();
    jsonTypes.add(json);
  }
  return jsonTypes;
}

function findJsonType(type: ts.Type, reading: Reading): JsonType | undefined {
  const { flags } = type;
  if (flags & (ts.TypeFlags.StringLike | ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping))
    return 'string';
  if (flags & ts.TypeFlags.NumberLike) return 'number';
  if (flags & ts.TypeFlags.BigIntLike) return 'integer';
  if (flags & ts.TypeFlags.BooleanLike) return 'boolean';
  if (flags & ts.TypeFlags.Null) return 'null';
  if (isOpenType(type)) {
    const closed = closeParameter(type, reading.checker);
    const [only, ...moreTypes] = closed === undefined ? [] : findJsonTypes(closed, reading);
    return moreTypes.length === 0 ? only : undefined;
  }
  if (type.isIntersection()) return jsonTypeOfIntersection(type, reading);
  return flags & ts.TypeFlags.Object ? jsonTypeOfObject(type, reading) : undefined;
}

function jsonTypeOfIntersection(type: ts.IntersectionType, reading: Reading): JsonType {
  const types = type.types.map((part) => findJsonType(part, reading));
  return types.find((part) => part !== undefined && part !== 'object') ?? 'object';
}

function jsonTypeOfObject(type: ts.Type, reading: Reading): JsonType | undefined {
  const { checker } = reading;
  if (isArrayOrTuple(type, checker)) return 'array';
  const entry = libraryType(type, reading.program);
  switch (entry?.as) {
    case 'text':
    case 'temporal':
      return 'string';
    case 'numbers':
    case 'set':
    case 'items':
      return 'array';
    case 'primitive':
      return entry.type;
    case 'map':
      return jsonTypeOfMap(type, checker);
    case 'anything':
      return undefined;
    default:
      return reading.direction === 'output' && type.getProperty('toJSON') ? undefined : 'object';
  }
}

function jsonTypeOfMap(type: ts.Type, checker: ts.TypeChecker): JsonType {
  const [key] = checker.getTypeArguments(type as ts.TypeReference);
  return key !== undefined && keyTypes(closeIfParameter(key, checker)) !== undefined ? 'object' : 'array';
}
