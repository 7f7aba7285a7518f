import { isHttpToken } from '../../../../templates/runtime/protocol/http-token.ts';
import type { ParameterLocation } from '../../../../templates/runtime/bindings.ts';
import type { Parameter } from '../../../model/source-model.ts';
import { definedMembers } from '../document/info.ts';
import { wordsOf } from '../document/text.ts';
import { type ReadContext, readRecord } from '../read-context.ts';
import { type RecordNode, memberOf, originOf } from '../reference/source-node.ts';
import { bodyKindOf } from './body-kind.ts';
import { readExample } from './examples.ts';
import { readEncoding } from './media-types.ts';
import { readStyle } from './parameter-style.ts';

const locations = ['path', 'query', 'header', 'cookie', 'querystring'] as const;
/** "Parameter Object, `in: header`": these come from media types and security. */
const reserved = new Set(['accept', 'content-type', 'authorization']);

/** RFC 9110, section 7, and RFC 9112: only the HTTP client knows these. */
const ofConnection = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** What a parameter is known by. Undefined, after a report, when it cannot be sent. */
export function readIdentity(
  context: ReadContext,
  node: RecordNode,
  operation: string,
): { name: string; location: ParameterLocation } | undefined {
  const { name, in: written } = node.value;
  const at = originOf(node);
  if (typeof name !== 'string' || name === '') {
    context.report('parameter-without-name', { operation }, { at });
    return undefined;
  }
  const location = locations.find((known) => known === written);
  if (location === undefined) {
    context.report('unknown-parameter-location', { name, location: String(written ?? '') }, { at });
    return undefined;
  }
  if (location === 'header' && reserved.has(name.toLowerCase())) {
    context.report('reserved-header-parameter', { name }, { at });
    return undefined;
  }
  if (location === 'header' && ofConnection.has(name.toLowerCase())) {
    context.report('connection-header-parameter', { name }, { at });
    return undefined;
  }
  if ((location === 'header' || location === 'cookie') && !isHttpToken(name)) {
    context.report('invalid-parameter-name', { name, location }, { at });
    return undefined;
  }
  return { name, location };
}

/** A Parameter Object of OpenAPI 3; `node` is the object itself, not a reference. */
export function readParameter(
  context: ReadContext,
  node: RecordNode,
  operation: string,
): Parameter | undefined {
  const identity = readIdentity(context, node, operation);
  if (identity === undefined) return undefined;
  const { name, location } = identity;
  const { value } = node;
  const described = readSchema(context, node, name);
  return {
    origin: originOf(node),
    name,
    in: location,
    required: location === 'path' || value.required === true,
    ...definedMembers({ description: wordsOf(value.description) }),
    ...(value.deprecated === true ? { deprecated: true } : {}),
    ...(described.mediaType === undefined ? readStyle(context, node, name, location) : {}),
    ...(value.allowReserved === true ? { allowReserved: true } : {}),
    ...(value.allowEmptyValue === true && location === 'query' ? { allowEmptyValue: true } : {}),
    ...described,
  };
}

function readSchema(
  context: ReadContext,
  node: RecordNode,
  name: string,
): Pick<Parameter, 'mediaType' | 'encoding' | 'schema' | 'example'> {
  const schema = memberOf(node, 'schema');
  if (schema.value !== undefined) {
    return { schema: context.schemas.read(schema), ...readExample(context, node) };
  }
  const content = readRecord(context, memberOf(node, 'content'), `\`content\` of the parameter ${name}`);
  const [mediaType] = Object.keys(content?.value ?? {});
  if (content === undefined || mediaType === undefined) {
    context.report('parameter-without-schema', { name }, { at: originOf(node) });
    return { schema: true };
  }
  const media = readRecord(context, memberOf(content, mediaType), `The media type ${mediaType}`, 'schema');
  const inner = media && memberOf(media, 'schema');
  const encoding =
    media !== undefined && bodyKindOf(mediaType, true) === 'form'
      ? readEncoding(context, media, 'form')
      : undefined;
  const described = inner?.value === undefined ? true : context.schemas.read(inner);
  return {
    mediaType,
    ...(encoding === undefined ? {} : { encoding }),
    schema: described,
    ...(media === undefined ? {} : readExample(context, media, mediaType)),
  };
}
