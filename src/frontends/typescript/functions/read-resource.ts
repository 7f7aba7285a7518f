import { ts } from 'ts-morph';

import type { FunctionBinding } from '../../../model/bindings.ts';
import { nearest } from '../../../../templates/runtime/validate.ts';
import type { FunctionResource } from '../../../model/source-model.ts';
import { omitUndefined } from '../../../util/collections.ts';
import { findTemplateFault, listTemplateVariables } from '../../../util/uri-template.ts';
import type { DocTag } from '../docs/read-docs.ts';
import { readMimeTypeTag, readResourceAnnotations } from '../tags/tag-values.ts';
import {
  reportNonTextArguments,
  reportHeaderTags,
  type ItemContext,
  readItemText,
  bindFunction,
} from './item.ts';
import { type ReadParameters, readArguments } from './parameters.ts';
import { findReturnedType } from './results.ts';
import type { Tagged } from './tagged.ts';
import { unionMembers } from '../program/checker-queries.ts';
import { isBytes, isResourceContents, isText } from './type-kinds.ts';

export function readResource(
  tagged: Tagged,
  tag: DocTag,
  context: ItemContext,
): FunctionResource | undefined {
  const { source, types } = context;
  const uri = tag.text;
  const problem = findTemplateProblem(uri);
  if (problem !== undefined) {
    source.diagnostics.report('bad-resource-uri', { uri, problem }, { at: source.originOfTag(tag) });
    return undefined;
  }
  const parameters = readArguments(tagged, source, types);
  reportHeaderTags(parameters, source);
  checkVariables(uri, parameters, tag, context);
  context.types.reader.runLater(() => {
    reportNonTextArguments(parameters, 'the variables of resource templates', context, { lists: true });
  });
  const { mimeType, output, ...result } = deriveContents(tagged, context);
  const annotations = readResourceAnnotations(tagged.block, source);
  return {
    kind: 'function-resource',
    name: tagged.name,
    uri,
    ...readItemText(tagged, context),
    ...omitUndefined({ mimeType, annotations, output }),
    input: parameters.input,
    binding: { ...bindFunction(tagged, context), ...parameters.call, ...result },
  };
}

/** Each variable needs a parameter, and each required parameter a variable. */
function checkVariables(
  uri: string,
  { input: { properties = {}, required = [] }, places }: ReadParameters,
  tag: DocTag,
  { source: { diagnostics, originOf, originOfTag } }: ItemContext,
): void {
  const names = Object.keys(properties);
  const variables = listTemplateVariables(uri);
  for (const variable of variables) {
    if (names.includes(variable)) continue;
    const suggestion = nearest(variable, names);
    const problem = `it has the variable ${variable}, but the function has no parameter with that name`;
    const fix =
      suggestion === undefined
        ? 'Give a parameter, or a property of the single object parameter, the name of the variable.'
        : `Did you mean ${suggestion}?`;
    diagnostics.report('bad-resource-uri', { uri, problem, fix }, { at: originOfTag(tag) });
  }
  for (const parameter of required) {
    if (variables.includes(parameter)) continue;
    const place = places.get(parameter);
    const at = place === undefined ? originOfTag(tag) : originOf(place);
    const problem = `it gets no value, since it is not a variable of ${uri}`;
    const fix = 'Add it to the template as `{name}` or `{?name}`, or give it a default.';
    diagnostics.report('parameter-not-usable', { parameter, problem, fix }, { at });
  }
}

type Contents = Pick<FunctionResource, 'mimeType' | 'output'> & Pick<FunctionBinding, 'result' | 'streams'>;

function deriveContents(tagged: Tagged, { source, types }: ItemContext): Contents {
  const { name, at, block, isFromLibrary } = tagged;
  const { type: returned, streams } = findReturnedType(tagged, source);
  const isList = streams === 'items';
  const type = isList ? returned : source.checker.getNonNullableType(returned);
  const mimeType = readMimeTypeTag(block, source);
  const typed = omitUndefined({ mimeType });
  const streaming = streams === false ? {} : { streams };
  const report = (problem: string): void =>
    source.diagnostics.report(
      'unfit-function',
      { name, tag: 'resource', problem },
      { at: source.originOf(at) },
    );
  if (!isList && (type.flags & ts.TypeFlags.Never) !== 0) {
    report(`it returns \`${source.checker.typeToString(returned)}\`, so the resource would be empty`);
    return streaming;
  }
  if (!isList && isBytes(type, source) && mimeType === undefined)
    report('it returns bytes without a media type');
  const isContents = isList
    ? [isResourceContents(type, source)]
    : unionMembers(type).map(
        (one) => isText(one, source) || isBytes(one, source) || isResourceContents(one, source),
      );
  const isAny = !isList && (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0;
  if (isAny || isContents.every(Boolean))
    return { ...typed, result: { as: 'content', ...typed }, ...streaming };
  const { codec, schema } = types.readResultType(type, at, { isLibrary: isFromLibrary, list: isList });
  const coded = omitUndefined({ codec });
  if (isContents.some(Boolean))
    return { ...typed, result: { as: 'content', ...typed, ...coded }, ...streaming };
  const { mimeType: of = 'application/json' } = typed;
  return { mimeType: of, output: schema, result: { as: 'json', mimeType: of, ...coded }, ...streaming };
}

/** Says what is wrong with a template, in words that follow a colon. */
export function findTemplateProblem(text: string): string | undefined {
  if (text === '') return 'its URI is missing behind @resource';
  if (/\s/.test(text)) return 'a URI holds no white space';
  if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) return 'it has no scheme';
  const fault = findTemplateFault(text);
  if (fault !== undefined) return fault;
  const names = listTemplateVariables(text);
  const odd = names.find((name) => !/^\w+$/.test(name));
  if (odd !== undefined) return `\`${odd}\` can't be the name of a parameter`;
  return names.length > 0 || URL.canParse(text) ? undefined : 'it is no URI';
}
