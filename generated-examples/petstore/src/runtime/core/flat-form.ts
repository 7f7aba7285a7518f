/** A form for a person, as the revision knows it: flat, of plain fields ("Elicitation", Requested Schema). */
import { isRecord } from '../contract/json-value.ts';
import type { RevisionFeatures } from '../protocol/revisions.ts';
import type { JsonSchemaObject } from '../contract/json-schema.ts';
import { AskError } from './asks.ts';

/** What a field of text may be; all else is not for forms, a password least of all. */
const FORMATS: readonly unknown[] = [undefined, 'email', 'uri', 'date', 'date-time'];

/** What may stand beside the fields. All else would describe what is not flat, or what no form shows. */
const TOP: readonly string[] = [
  '$schema',
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
];

/**
 * Older revisions have single choices (`enum`) and boolean defaults only.
 *
 * @throws {AskError} naming the field, or the keyword, that no client of the revision knows
 */
export function flatForm(
  schema: JsonSchemaObject,
  { richForms }: Pick<RevisionFeatures, 'richForms'>,
): JsonSchemaObject {
  const other = Object.keys(schema).find((keyword) => !TOP.includes(keyword));
  if (other !== undefined || typeof schema.additionalProperties === 'object')
    throw new AskError(
      `A form cannot have \`${other ?? 'additionalProperties'}\`: all its fields stand in \`properties\`.`,
    );
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const plain = plainField(name, field);
    return [name, richForms ? plain : oldField(name, plain)];
  });
  return { ...schema, properties: Object.fromEntries(properties) as Record<string, JsonSchemaObject> };
}

function plainField(name: string, field: unknown): JsonSchemaObject {
  if (!isRecord(field) || !isPlain(field))
    throw new AskError(
      `The field \`${name}\` cannot be part of a form: fields are texts, numbers, booleans, and choices among texts.`,
    );
  if (!FORMATS.includes(field['format']))
    throw new AskError(
      `The field \`${name}\` cannot be part of a form: texts may be of the format email, uri, date or date-time. ` +
        'Secrets are asked for by `elicitUrl`.',
    );
  return field as JsonSchemaObject;
}

function isPlain({ type, items }: Record<string, unknown>): boolean {
  if (type === 'array')
    return isRecord(items) && (Array.isArray(items['enum']) || Array.isArray(items['anyOf']));
  return type === 'string' || type === 'number' || type === 'integer' || type === 'boolean';
}

function oldField(name: string, field: JsonSchemaObject): JsonSchemaObject {
  if (field.type === 'array')
    throw new AskError(`The client knows no field like ${name}: it has single choices only.`);
  const { oneOf, default: preset, ...rest } = field;
  const kept = typeof preset === 'boolean' ? { ...rest, default: preset } : rest;
  if (oneOf === undefined) return kept;
  const choices = oneOf.filter(isRecord);
  return {
    ...kept,
    enum: choices.map((choice) => String(choice['const'])),
    enumNames: choices.map((choice) => String(choice['title'] ?? choice['const'])),
  };
}
