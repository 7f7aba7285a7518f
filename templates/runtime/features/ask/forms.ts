// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Forms: their types, what makes one, and what each revision knows of it. */
import { isRecord } from '../../json-rpc.ts';
import { describeThrown } from '../../results.ts';
import { type JsonObject, type SchemaObject, ToolError } from '../../types.ts';
import { compileSchema } from '../../validate.ts';

interface FormChoice {
  readonly const: string;
  readonly title: string;
}
/** A field of a form (MCP `PrimitiveSchemaDefinition`). Several choices (`array`) need 2025-11-25. */
export interface FormField {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array';
  readonly title?: string;
  readonly description?: string;
  /** Default true. An object of JSON Schema lists the names of such fields instead. */
  readonly required?: boolean;
  readonly format?: 'email' | 'uri' | 'date' | 'date-time';
  readonly pattern?: string;
  readonly enum?: readonly string[];
  /** Words for `enum`, in its order. */
  readonly enumNames?: readonly string[];
  readonly oneOf?: readonly FormChoice[];
  readonly items?:
    { readonly type: 'string'; readonly enum: readonly string[] } | { readonly anyOf: readonly FormChoice[] };
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: string | number | boolean | readonly string[];
}
export type FormFields = Readonly<Record<string, FormField>>;
export interface FormObject {
  readonly type: 'object';
  readonly title?: string;
  readonly description?: string;
  readonly properties?: FormFields;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}
/** A schema of a library (Standard JSON Schema, and Standard Schema where it has `validate`). */
export interface StandardForm<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>;
    };
    readonly validate?: (value: unknown) => unknown;
  };
}
/** Fields by their names, an object of JSON Schema with such fields, or a schema of a library. */
export type FormSchema = FormFields | FormObject | StandardForm;

type ValueOf<F> = F extends { enum: readonly (infer V)[] } | { oneOf: readonly { const: infer V }[] }
  ? V
  : F extends { items: { enum: readonly (infer V)[] } | { anyOf: readonly { const: infer V }[] } }
    ? V[]
    : F extends { type: 'boolean' }
      ? boolean
      : F extends { type: 'string' }
        ? string
        : number;
type Filled<Fields, Needed> = string extends keyof Fields
  ? JsonObject
  : { -readonly [K in keyof Fields as K extends Needed ? K : never]: ValueOf<Fields[K]> } & {
      -readonly [K in keyof Fields as K extends Needed ? never : K]?: ValueOf<Fields[K]>;
    };
type Needed<Fields> = {
  [K in keyof Fields]: Fields[K] extends { required: false } ? never : K;
}[keyof Fields];
/** What was filled in: the output of a library's schema, else by the fields. */
export type FilledForm<S> =
  S extends StandardForm<infer Output>
    ? Output
    : S extends { type: 'object' }
      ? S extends { properties: infer Fields }
        ? Filled<Fields, S extends { required: readonly (infer Name)[] } ? Name : never>
        : JsonObject
      : Filled<S, Needed<S>>;

/** A schema may be a function: those of some libraries are. */
function isStandard(schema: unknown): schema is StandardForm {
  return Object(schema) === schema && '~standard' in (schema as object);
}

/** The form as an object of JSON Schema. @throws {ToolError} for what can't be one in the revision */
export function toForm(schema: unknown, revision: string): SchemaObject {
  const form = isStandard(schema) ? formOfLibrary(schema) : formOfFields(schema);
  const keywords = [
    '$schema',
    'type',
    'title',
    'description',
    'properties',
    'required',
    'additionalProperties',
  ];
  const other = Object.keys(form).find((keyword) => !keywords.includes(keyword));
  if (other !== undefined || typeof form['additionalProperties'] === 'object')
    throw new ToolError(
      `A form cannot have \`${other ?? 'additionalProperties'}\`: all its fields stand in \`properties\`.`,
    );
  const fields = Object.entries(form.properties ?? {}).map(([name, field]) => [
    name,
    fitField(name, field, revision),
  ]);
  return { ...form, properties: Object.fromEntries(fields) as Record<string, SchemaObject> };
}

function formOfFields(schema: unknown): SchemaObject {
  if (!isRecord(schema)) throw new ToolError('A form is made of fields: `{ age: { type: "integer" } }`.');
  if (schema['type'] === 'object') return schema;
  const properties: Record<string, SchemaObject> = {};
  const required: string[] = [];
  for (const [name, field] of Object.entries(schema)) {
    const { required: isRequired, ...rest } = isRecord(field) ? field : {};
    properties[name] = isRecord(field) ? rest : (field as SchemaObject);
    if (isRequired !== false) required.push(name);
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

function formOfLibrary({ '~standard': { vendor, jsonSchema } }: StandardForm): SchemaObject {
  const { input } = (jsonSchema as Partial<typeof jsonSchema> | undefined) ?? {};
  if (input === undefined)
    throw new ToolError(
      `The schema of ${vendor} has no \`~standard.jsonSchema\`: a newer version may have it.`,
    );
  let form: SchemaObject;
  try {
    form = input({ target: 'draft-2020-12' });
  } catch (thrown) {
    throw new ToolError(`${vendor} can't say the schema as JSON Schema: ${describeThrown(thrown)}`);
  }
  const rest = { ...form };
  delete rest['$schema'];
  if (rest.type === 'object') return rest;
  throw new ToolError(`A form is an object, but the schema of ${vendor} is of another type.`);
}

/** Forms must not ask for other formats, such as passwords ("Elicitation", Security Considerations). */
const FORMATS: readonly unknown[] = [undefined, 'email', 'uri', 'date', 'date-time'];

/** Before 2025-11-25 fields are single choices by `enum`, and only booleans have a default. */
function fitField(name: string, field: unknown, revision: string): unknown {
  const refuse = (reason: string): ToolError =>
    new ToolError(`The field \`${name}\` cannot be part of a form: ${reason}`);
  const { type, items, format } = isRecord(field) ? field : {};
  const isChoices =
    type === 'array' && isRecord(items) && [items['enum'], items['anyOf']].some(Array.isArray);
  if (!isRecord(field) || !(isChoices || ['string', 'number', 'integer', 'boolean'].includes(type as string)))
    throw refuse('fields are texts, numbers, booleans, and choices among texts.');
  if (!FORMATS.includes(format))
    throw refuse(
      'texts may be of the format email, uri, date or date-time. Secrets are asked for by `elicitUrl`.',
    );
  if (revision >= '2025-11-25') return field;
  if (isChoices) throw refuse('this client has single choices only.');
  const { oneOf, default: preset, ...rest } = field;
  const fitted = typeof preset === 'boolean' ? { ...rest, default: preset } : rest;
  if (!Array.isArray(oneOf)) return fitted;
  const choices = oneOf.filter(isRecord);
  const titles = choices.map((choice) => String(choice['title'] ?? choice['const']));
  return { ...fitted, enum: choices.map((choice) => String(choice['const'])), enumNames: titles };
}

/** Checks what was filled in by the form, then by the library. @param refuse makes the error */
export async function readFilledForm(
  content: unknown,
  form: SchemaObject,
  schema: unknown,
  refuse: (reason: string) => Error,
): Promise<unknown> {
  const filled = content ?? {};
  const fail = (fault: string): Error => refuse(`What was filled in does not match the form: ${fault}.`);
  const [misfit] = compileSchema(form)(filled);
  if (misfit !== undefined || !isRecord(filled)) throw fail(misfit?.message ?? 'it is not an object');
  const large = Object.entries(filled).find(([, value]) => typeof value === 'bigint');
  if (large !== undefined) throw fail(`\`${large[0]}\` is beyond ±2^53`);
  const validate = isStandard(schema) ? schema['~standard'].validate : undefined;
  if (validate === undefined) return filled;
  const { issues, value } = (await validate(filled)) as {
    issues?: { message: string; path?: (PropertyKey | { key: PropertyKey })[] }[];
    value?: unknown;
  };
  if (issues === undefined) return value;
  const describe = ({ message, path = [] }: (typeof issues)[number]): string => {
    const names = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
    return names === '' ? message : `\`${names}\`: ${message}`;
  };
  throw fail(issues.map(describe).join('; '));
}
