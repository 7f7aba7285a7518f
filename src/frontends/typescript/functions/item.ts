import { ts } from 'ts-morph';
import type { FunctionBinding } from '../../../../templates/runtime/contract/bindings.ts';
import type { CodeOrigin } from '../../../model/origin.ts';
import type { Icon, JsonObject } from '../../../../templates/runtime/contract/json-schema.ts';
import type { Layout } from '../app/carry.ts';
import { deprecationNotice, stripQuotes } from '../docs/doc-text.ts';
import { findSymbolDocs, type DocTag } from '../docs/read-docs.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { listThrownClasses } from '../tags/read-throws.ts';
import { readIconTags, readMetaTags, readScopes, findTag } from '../tags/tag-values.ts';
import type { ReadParameters } from './parameters.ts';
import type { Tagged } from './tagged.ts';
import type { Types } from './types.ts';
import { omitUndefined } from '../../../util/collections.ts';

export interface ItemContext {
  source: SourceProgram;
  types: Types;
  layout: Layout;
}

export interface ItemText {
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
  return text ?? findSymbolDocs(symbol).description ?? findTaggedText(signature.getJsDocTags());
}

/** Authors sometimes put the whole description behind a tag. */
function findTaggedText(tags: readonly ts.JSDocTagInfo[]): string {
  const tag = tags.find(({ name }) => name === 'description') ?? tags.find(({ name }) => name === 'summary');
  return ts.displayPartsToString(tag?.text).trim();
}

export function originsOfArguments(
  { places }: ReadParameters,
  { source }: ItemContext,
): Record<string, CodeOrigin> {
  return Object.fromEntries([...places].map(([name, node]) => [name, source.originOf(node)]));
}

export function bindFunction(
  { file, exportName, method, block, at }: Tagged,
  { layout, source }: ItemContext,
): Pick<FunctionBinding, 'kind' | 'module' | 'export' | 'method' | 'instance' | 'throws'> {
  const throws = listThrownClasses(block, at, source.checker);
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
