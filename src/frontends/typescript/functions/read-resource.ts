import { ts } from 'ts-morph';
import { suggest } from '../../../../templates/runtime/contract/suggest.ts';
import type { Codec, FunctionBinding } from '../../../../templates/runtime/contract/bindings.ts';
import type { FunctionResource } from '../../../model/source-model.ts';
import type { Tag } from '../tags/read-block.ts';
import { mimeTypeOf, resourceAnnotations } from '../tags/tag-values.ts';
import { alternatives, isBytes, isResourceContents, isText } from './content-types.ts';
import { refuseHeaders } from './headers.ts';
import { type ItemContext, itemText, targetOf } from './item.ts';
import { type ReadParameters, readParameters } from './parameters.ts';
import { returnedBy } from './results.ts';
import type { Tagged } from './tagged.ts';
import { templateFault, templateVariables } from './template-variables.ts';
import { checkTexts } from './text-arguments.ts';
import { definedMembers } from '../../../util/defined-members.ts';

export function readResource(tagged: Tagged, tag: Tag, context: ItemContext): FunctionResource | undefined {
  const { source, types } = context;
  const uri = tag.text;
  const problem = templateFault(uri);
  if (problem !== undefined) {
    source.diagnostics.report('bad-resource-uri', { uri, problem }, { at: source.originOfTag(tag) });
    return undefined;
  }
  const parameters = readParameters(tagged, source, types);
  refuseHeaders(parameters, source);
  matchVariables(uri, parameters, tag, context);
  context.types.later(() => {
    checkTexts(parameters, 'the variables of resource templates', context, { lists: true });
  });
  const { mimeType, ...result } = readContents(tagged, context);
  const annotations = resourceAnnotations(tagged.block, source);
  return {
    kind: 'function-resource',
    name: tagged.name,
    uri,
    ...itemText(tagged, context),
    ...definedMembers({ mimeType, annotations }),
    input: parameters.input,
    binding: { ...targetOf(tagged, context), ...parameters.call, ...result },
  };
}

/** Each variable needs a parameter, and each required parameter a variable. */
function matchVariables(
  uri: string,
  { input: { properties = {}, required = [] }, places }: ReadParameters,
  tag: Tag,
  { source: { diagnostics, originOf, originOfTag } }: ItemContext,
): void {
  const names = Object.keys(properties);
  const variables = templateVariables(uri);
  for (const variable of variables) {
    if (names.includes(variable)) continue;
    const meant = suggest(variable, names) ?? '';
    diagnostics.report('variable-not-a-parameter', { variable, uri, meant }, { at: originOfTag(tag) });
  }
  for (const parameter of required) {
    if (variables.includes(parameter)) continue;
    const place = places.get(parameter);
    const at = place === undefined ? originOfTag(tag) : originOf(place);
    diagnostics.report('parameter-not-a-variable', { parameter, uri }, { at });
  }
}

interface Contents {
  mimeType?: string;
  result?: NonNullable<FunctionBinding['result']>;
  streams?: NonNullable<FunctionBinding['streams']>;
}

function readContents(tagged: Tagged, context: ItemContext): Contents {
  const { type, streams } = returnedBy(tagged, context.source);
  const plain = context.source.checker.getNonNullableType(type);
  if (streams !== 'items' && (plain.flags & ts.TypeFlags.Never) !== 0)
    return noContents(type, tagged, context);
  const contents =
    streams === 'items' ? readItems(type, tagged, context) : readPlainContents(plain, tagged, context);
  return { ...contents, ...(streams === false ? {} : { streams }) };
}

function noContents(type: ts.Type, { name, at }: Tagged, { source }: ItemContext): Contents {
  const what = source.checker.typeToString(type);
  source.diagnostics.report('resource-without-contents', { name, what }, { at: source.originOf(at) });
  return {};
}

function readItems(
  item: ts.Type,
  { at, block, isLibrary }: Tagged,
  { source, types }: ItemContext,
): Contents {
  const mimeType = mimeTypeOf(block, source);
  const typed = mimeType === undefined ? {} : { mimeType };
  if (isResourceContents(item, source)) return { ...typed, result: { as: 'content', ...typed } };
  const { codec } = types.output(item, at, { isLibrary, list: true });
  return json(mimeType, codec);
}

function json(mimeType = 'application/json', codec?: Codec): Contents {
  return { mimeType, result: { as: 'json', mimeType, ...definedMembers({ codec }) } };
}

function readPlainContents(plain: ts.Type, tagged: Tagged, { source, types }: ItemContext): Contents {
  const mimeType = mimeTypeOf(tagged.block, source);
  const typed = mimeType === undefined ? {} : { mimeType };
  if (isBytes(plain, source)) {
    if (mimeType === undefined)
      source.diagnostics.report(
        'bytes-without-type',
        { name: tagged.name },
        { at: source.originOf(tagged.at) },
      );
    return { ...typed, result: { as: 'content', ...typed } };
  }
  const isAny = (plain.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0;
  const isContents = alternatives(plain).map((each) => isReadAsIs(each, source));
  if (isAny || isContents.every(Boolean)) return { ...typed, result: { as: 'content', ...typed } };
  const { codec } = types.output(plain, tagged.at, { isLibrary: tagged.isLibrary });
  if (!isContents.some(Boolean)) return json(mimeType, codec);
  return { ...typed, result: { as: 'content', ...typed, ...definedMembers({ codec }) } };
}

function isReadAsIs(type: ts.Type, source: ItemContext['source']): boolean {
  return isText(type, source) || isBytes(type, source) || isResourceContents(type, source);
}
