import { ts } from 'ts-morph';

import type { FunctionBinding } from '../../../model/bindings.ts';
import { isHttpToken } from '../../../util/http-syntax.ts';
import type { Icon } from '../../../model/listed-items.ts';
import type { JsonObject, JsonSchemaObject, JsonSchema, ObjectSchema } from '../../../util/json-schema.ts';
import { ownMember } from '../../../../templates/runtime/json-rpc.ts';
import type { CodeOrigin } from '../../../model/origin.ts';
import { omitUndefined } from '../../../util/collections.ts';
import type { Layout } from '../app/carry.ts';
import { deprecationNotice, stripQuotes } from '../docs/doc-text.ts';
import { findSymbolDocs, type DocTag } from '../docs/read-docs.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { isFaultySchema } from '../schema/form.ts';
import { listThrownClasses } from '../tags/check-tags.ts';
import { readIconTags, readMetaTags, readScopes, findTag, reportBadTag } from '../tags/tag-values.ts';
import type { ReadParameters } from './parameters.ts';
import type { Tagged } from './tagged.ts';
import type { Types } from './types.ts';

export interface ItemContext {
  source: SourceProgram;
  types: Types;
  layout: Layout;
}

interface ItemText {
  origin: CodeOrigin;
  title?: string;
  description?: string;
  deprecated?: string;
  icons?: Icon[];
  _meta?: JsonObject;
  scopes: string[];
}

export function readItemText(tagged: Tagged, { source }: ItemContext): ItemText {
  const { block, at } = tagged;
  const title = stripQuotes(findTag(block, 'title')?.text ?? '');
  const description = findDescription(tagged, source);
  const icons = readIconTags(block, source);
  const deprecated = deprecationNotice(block);
  return {
    origin: source.originOf(at),
    ...(title === '' ? {} : { title }),
    ...(description === '' ? {} : { description }),
    ...omitUndefined({ deprecated }),
    ...(icons.length === 0 ? {} : { icons }),
    ...omitUndefined({ _meta: readMetaTags(block, source) }),
    scopes: readScopes(block, source),
  };
}

/** Re-exported and implemented declarations provide missing descriptions. */
function findDescription({ block, symbol, signature }: Tagged, { checker }: SourceProgram): string {
  if (block.description !== undefined) return block.description;
  const tagText = findTag(block, 'description')?.text ?? '';
  if (tagText !== '') return tagText;
  const parts = [signature.getDocumentationComment(checker), symbol.getDocumentationComment(checker)];
  const [text] = parts.map((part) => ts.displayPartsToString(part).trim()).filter((each) => each !== '');
  // Authors sometimes put the whole description behind a tag.
  const tag = signature.getJsDocTags().find(({ name }) => name === 'description' || name === 'summary');
  return text ?? findSymbolDocs(symbol).description ?? ts.displayPartsToString(tag?.text).trim();
}

export function originsOfArguments(
  { places }: ReadParameters,
  { source }: ItemContext,
): Record<string, CodeOrigin> {
  return Object.fromEntries([...places].map(([name, node]) => [name, source.originOf(node)]));
}

export function bindFunction(
  { file, exportName, method, block }: Tagged,
  { layout }: ItemContext,
): Pick<FunctionBinding, 'kind' | 'module' | 'export' | 'method' | 'instance' | 'throws'> {
  const throws = listThrownClasses(block);
  return {
    kind: 'function',
    module: layout.pathOf(file),
    export: exportName,
    ...omitUndefined({ method: method?.name, instance: method?.instance }),
    ...(throws.length === 0 ? {} : { throws }),
  };
}

export function reportUnfitFunction(
  { name }: Tagged,
  tag: DocTag,
  problem: string,
  { source: { diagnostics, originOfTag } }: ItemContext,
): undefined {
  diagnostics.report('unfit-function', { name, tag: tag.name, problem }, { at: originOfTag(tag) });
  return undefined;
}

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
    const schema = ownMember(properties, name);
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
