import { isHttpToken } from '../../../util/http-syntax.ts';
import type { ParameterLocation } from '../../../model/bindings.ts';
import { quoteAsCodeSpan } from '../../../diagnostics/quoting.ts';
import type { Parameter } from '../../../model/source-model.ts';
import { omitUndefined } from '../../../util/collections.ts';
import { readAsWritten } from '../document/document-value.ts';
import { printValueOrQuotes, readCleanText } from '../document/record.ts';
import { isKeptArgument, readArgumentRule } from '../document/x-mcp.ts';
import { type ReadContext, readFlag, resolveRecordNode } from '../read-context.ts';
import { type RecordNode, memberNode, nodeOrigin } from '../reference/source-node.ts';
import { readSwaggerSchema } from '../swagger2/parameter.ts';
import { readEncodings } from './encodings.ts';
import { readMediaTypeSchema, readExamples } from './media-types.ts';
import { readStyle } from './parameter-style.ts';

const locations = ['path', 'query', 'header', 'cookie', 'querystring'] as const;
/** Media types, security ("Parameter Object, `in: header`") and the HTTP client (RFC 9110, section 7, and RFC 9112) set these headers. */
const ofRequest = new Set(
  'accept authorization connection content-length content-type expect host keep-alive te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

/** Reads name and location. Undefined, after a report, for a parameter that cannot be sent. */
function readNameAndLocation(
  context: ReadContext,
  node: RecordNode,
  operation: string,
): { name: string; location: ParameterLocation } | undefined {
  const { in: place } = node.value;
  const name = readAsWritten(memberNode(node, 'name'));
  const at = nodeOrigin(node);
  if (typeof name !== 'string' || name === '') {
    context.report(
      'parameter-ignored',
      { parameter: `A parameter of ${operation}`, problem: 'it has no name' },
      { at },
    );
    return undefined;
  }
  const location = locations.find((known) => known === place);
  if (location === undefined) {
    const isMissing = place === undefined || place === null;
    const problem = isMissing
      ? 'it has no `in`'
      : `${quoteAsCodeSpan(`in: ${printValueOrQuotes(place)}`)} is not a valid place`;
    context.report('parameter-ignored', { parameter: `The parameter ${name}`, problem }, { at });
    return undefined;
  }
  const isFree = context.isAuthorizationFree === true && name.toLowerCase() === 'authorization';
  if (location === 'header' && ofRequest.has(name.toLowerCase()) && !isFree) {
    context.report('header-parameter-ignored', { name }, { at });
    return undefined;
  }
  if ((location === 'header' || location === 'cookie') && !isHttpToken(name)) {
    const parameter = `The ${location} parameter ${JSON.stringify(name)}`;
    context.report(
      'parameter-ignored',
      { parameter, problem: 'its name has characters that cannot be sent' },
      { at },
    );
    return undefined;
  }
  return { name, location };
}

export function readParameter(
  context: ReadContext,
  node: RecordNode,
  operation: string,
): Parameter | undefined {
  const isSwagger = node.document.version === '2.0';
  if (isSwagger && (node.value.in === 'body' || node.value.in === 'formData')) return undefined;
  const identity = readNameAndLocation(context, node, operation);
  if (identity === undefined) return undefined;
  const { name, location } = identity;
  const { value } = node;
  const place = location === 'path' || location === 'header' ? location : 'query';
  const described: ReturnType<typeof readSchema> = isSwagger
    ? { ...readSwaggerSchema(context, node, name, place), ...readExamples(context, node) }
    : readSchema(context, node, name);
  const isSet = (field: string): boolean => readFlag(context, node, field) === true;
  const required = isSet('required');
  const allowEmptyValue = isSet('allowEmptyValue');
  return {
    origin: nodeOrigin(node),
    name,
    in: location,
    required: location === 'path' || required,
    ...omitUndefined({
      description: readCleanText(value.description),
      rule: readArgumentRule(context, node),
    }),
    ...(isSet('deprecated') ? { deprecated: true } : {}),
    ...(isKeptArgument(node) ? { isArgument: true } : {}),
    ...(!isSwagger && !('mediaType' in described) && readStyle(context, node, name, location)),
    ...(isSet('allowReserved') ? { allowReserved: true } : {}),
    ...(allowEmptyValue && location === 'query' ? { allowEmptyValue } : {}),
    ...described,
  };
}

function readSchema(
  context: ReadContext,
  node: RecordNode,
  name: string,
): Pick<Parameter, 'mediaType' | 'encoding' | 'schema' | 'example' | 'secondExample'> {
  const schema = memberNode(node, 'schema');
  if (schema.value !== undefined)
    return { schema: context.schemas.readSchema(schema), ...readExamples(context, node) };
  const content = resolveRecordNode(
    context,
    memberNode(node, 'content'),
    `\`content\` of the parameter ${name}`,
  );
  const [mediaType] = Object.keys(content?.value ?? {});
  if (content === undefined || mediaType === undefined) {
    context.report('parameter-without-schema', { name }, { at: nodeOrigin(node) });
    return { schema: true };
  }
  const media = resolveRecordNode(
    context,
    memberNode(content, mediaType),
    `The media type ${mediaType}`,
    'schema',
  );
  const encoding = media && readEncodings(context, media, mediaType);
  const described = (media && readMediaTypeSchema(context, media)) ?? true;
  return {
    mediaType,
    ...omitUndefined({ encoding }),
    schema: described,
    ...(media && readExamples(context, media, mediaType)),
  };
}
