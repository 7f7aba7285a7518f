import { isReported } from '../../../util/http-syntax.ts';
import type { JsonSchema } from '../../../util/json-schema.ts';
import type { Response, ResponseContent, ResponseHeader } from '../../../model/source-model.ts';
import { omitUndefined } from '../../../util/collections.ts';
import { readCleanText } from '../document/record.ts';
import { type ReadContext, resolveRecordNode, readOnceAndShare } from '../read-context.ts';
import { type RecordNode, listMemberNodes, memberNode, nodeOrigin } from '../reference/source-node.ts';
import { readSwaggerContent } from '../swagger2/operation.ts';
import { readSwaggerSchema } from '../swagger2/parameter.ts';
import { listContentEntries, readMediaTypeSchema, readExamples } from './media-types.ts';

export function readResponses(
  context: ReadContext,
  operation: RecordNode,
  label: string,
  produces: readonly string[] | undefined,
): Response[] {
  const responses = resolveRecordNode(
    context,
    memberNode(operation, 'responses'),
    `\`responses\` of ${label}`,
  );
  return listMemberNodes(responses).flatMap(([status, member]) => {
    if (status.startsWith('x-')) return [];
    const node = resolveRecordNode(context, member, `The response ${status} of ${label}`);
    if (node === undefined) return [];
    const shared = readOnceAndShare(context, node, `response ${produces?.join() ?? ''}`, () => ({
      origin: nodeOrigin(node),
      ...omitUndefined({ description: readCleanText(node.value.description) }),
      content: produces ? readSwaggerContent(context, node, produces) : readResponseContent(context, node),
      ...readResponseHeaders(context, node),
    }));
    return [{ status: status.replace(/^([1-5])xx$/i, '$1XX'), ...shared }];
  });
}

function readResponseContent(context: ReadContext, node: RecordNode): ResponseContent[] {
  return listContentEntries(context, node).map(({ mediaType, node: entry }) => {
    const schema = readMediaTypeSchema(context, entry);
    return {
      mediaType,
      ...omitUndefined({ schema }),
      ...readExamples(context, entry, mediaType),
    };
  });
}

/** `Content-Type` is ignored, as the Response Object demands. */
function readResponseHeaders(context: ReadContext, response: RecordNode): Pick<Response, 'headers'> {
  if (response.value.headers === undefined) return {};
  const written = resolveRecordNode(context, memberNode(response, 'headers'), '`headers` of a response');
  const headers = listMemberNodes(written).flatMap(([name, member]): ResponseHeader[] => {
    if (/^content-type$/i.test(name) || !isReported(name.toLowerCase())) return [];
    const node = resolveRecordNode(context, member, `The header ${name}`);
    return node === undefined
      ? []
      : [{ name: name.toLowerCase(), schema: readHeaderSchema(context, node, name) }];
  });
  return headers.length === 0 ? {} : { headers };
}

function readHeaderSchema(context: ReadContext, node: RecordNode, name: string): JsonSchema {
  const { example } = readExamples(context, node);
  if (example !== undefined) return { const: example };
  if (node.document.version === '2.0') return readSwaggerSchema(context, node, name, 'header').schema;
  const schema = memberNode(node, 'schema');
  // Described by `content` or in words alone, it is a text.
  return schema.value === undefined ? { type: 'string' } : context.schemas.readSchema(schema);
}
