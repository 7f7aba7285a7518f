import { getOwnMember } from '../../../../templates/runtime/contract/json-value.ts';
import type { ts } from 'ts-morph';

import { isHttpToken } from '../../../../templates/runtime/contract/http-syntax.ts';
import type {
  JsonSchema,
  JsonSchemaObject,
  ObjectSchema,
} from '../../../../templates/runtime/contract/json-schema.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { isFaultySchema } from '../schema/form.ts';
import { findTag, reportBadTag } from '../tags/tag-values.ts';
import type { ItemContext } from './item.ts';
import type { ReadParameters } from './parameters.ts';

const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];

/** `@header Name`: clients repeat the argument in an HTTP header ("Custom Headers from Tool Parameters"). */
export function applyHeaderTags(
  { properties = {} }: ObjectSchema,
  docs: ReadParameters['docs'],
  source: SourceProgram,
): void {
  const headers = new Set<string>();
  for (const [name, argumentDocs] of docs) {
    const tag = findTag(argumentDocs, 'header');
    const schema = getOwnMember(properties, name);
    if (tag === undefined || typeof schema !== 'object' || isFaultySchema(schema)) continue;
    const header = tag.text;
    const problem = findHeaderProblem(header, schema, headers);
    headers.add(header.toLowerCase());
    if (problem === undefined) schema['x-mcp-header'] = header;
    else reportBadTag(tag, `${header} is invalid: ${problem}`, source);
  }
}

/** Only tool calls repeat arguments in HTTP headers. */
export function reportHeaderTags({ docs }: Pick<ReadParameters, 'docs'>, source: SourceProgram): void {
  for (const argumentDocs of docs.values()) {
    const tag = findTag(argumentDocs, 'header');
    if (tag !== undefined)
      reportBadTag(tag, `${tag.text} is invalid: only arguments of tools are mirrored`, source);
  }
}

function findHeaderProblem(
  header: string,
  { type }: JsonSchemaObject,
  headers: ReadonlySet<string>,
): string | undefined {
  if (!isHttpToken(header)) return 'it is no name of a header (RFC 9110, token)';
  if (headers.has(header.toLowerCase())) return 'another parameter has it';
  return TYPES.includes(type) ? undefined : 'only strings, integers and booleans are mirrored';
}

/** Null is allowed beside other types, although no text is null. */
const PRIMITIVES: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'null'];

/** Arguments of prompts and variables of templates arrive as text. `of` names them in the message. */
export function reportNonTextArguments(
  { input, places }: Pick<ReadParameters, 'input' | 'places'>,
  of: string,
  { source, types }: ItemContext,
  options: { lists: boolean },
): void {
  for (const [parameter, schema] of Object.entries(input.properties ?? {})) {
    if (
      isFaultySchema(schema) ||
      isText(schema, options.lists, (reference) => types.resolveSchemaReference(reference))
    )
      continue;
    const place: ts.Node | undefined = places.get(parameter);
    const problem = `its type cannot be read from a string, and ${of} arrive as strings`;
    source.diagnostics.report(
      'parameter-not-usable',
      { parameter, problem, fix: 'Use a string, and parse it in the function.' },
      place === undefined ? {} : { at: source.originOf(place) },
    );
  }
}

function isText(
  schema: JsonSchema,
  lists: boolean,
  resolve: (schema: JsonSchemaObject) => JsonSchemaObject,
): boolean {
  if (typeof schema === 'boolean') return false;
  const { type, anyOf, items } = resolve(schema);
  if (type !== undefined && [type].flat().every((typeName) => PRIMITIVES.includes(typeName))) return true;
  if (lists && type === 'array') return items !== undefined && isText(items, false, resolve);
  return anyOf?.every((alternative) => isText(alternative, false, resolve)) ?? false;
}
