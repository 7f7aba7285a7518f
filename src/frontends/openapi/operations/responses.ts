import { isReported } from '../../../util/http-syntax.ts';
import type { JsonSchema } from '../../../util/json-schema.ts';
import type { Response, ResponseContent, ResponseHeader } from '../../../model/source-model.ts';
import { omitUndefined } from '../../../util/collections.ts';
import { readCleanText } from '../document/record.ts';
import { type ReadContext, resolveRecordNode, readOnceAndShare } from '../read-context.ts';
import { type RecordNode, listMemberNodes, memberNode, nodeOrigin } from '../reference/source-node.ts';
import { listContentEntries, readMediaTypeSchema, readExamples } from './media-types.ts';
import type { OperationEntry } from './path-items.ts';

type ResponseContentReader = (context: ReadContext, node: RecordNode) => ResponseContent[];

interface ResponseReaders {
  content: ResponseContentReader;
  header: HeaderReader;
}

export function readResponses(
  context: ReadContext,
  { operation }: Pick<OperationEntry, 'operation'>,
  label: string,
  read: ResponseReaders,
  sharedKey = '',
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
    const shared = readOnceAndShare(context, node, `response ${sharedKey}`, () => ({
      origin: nodeOrigin(node),
      ...omitUndefined({ description: readCleanText(node.value.description) }),
      content: read.content(context, node),
      ...readResponseHeaders(context, node, read.header),
    }));
    return [{ status: status.replace(/^([1-5])xx$/i, '$1XX'), ...shared }];
  });
}

export function readResponseContent(context: ReadContext, node: RecordNode): ResponseContent[] {
  return listContentEntries(context, node).map(({ mediaType, node: entry }) => {
    const schema = readMediaTypeSchema(context, entry);
    return {
      mediaType,
      ...omitUndefined({ schema }),
      ...readExamples(context, entry, mediaType),
    };
  });
}

/** Swagger 2.0 and OpenAPI 3 read Header Objects differently. */
type HeaderReader = (context: ReadContext, node: RecordNode, name: string) => JsonSchema | undefined;

/** `Content-Type` is ignored, as the Response Object demands. */
function readResponseHeaders(
  context: ReadContext,
  response: RecordNode,
  read: HeaderReader,
): Pick<Response, 'headers'> {
  if (response.value.headers === undefined) return {};
  const written = resolveRecordNode(context, memberNode(response, 'headers'), '`headers` of a response');
  const headers = listMemberNodes(written).flatMap(([name, member]): ResponseHeader[] => {
    if (/^content-type$/i.test(name) || !isReported(name.toLowerCase())) return [];
    const node = resolveRecordNode(context, member, `The header ${name}`);
    // Described by `content` or in words alone, it is a text.
    return node === undefined
      ? []
      : [{ name: name.toLowerCase(), schema: read(context, node, name) ?? { type: 'string' } }];
  });
  return headers.length === 0 ? {} : { headers };
}

export function readHeaderSchema(context: ReadContext, node: RecordNode): JsonSchema | undefined {
  const { example } = readExamples(context, node);
  if (example !== undefined) return { const: example };
  const schema = memberNode(node, 'schema');
  return schema.value === undefined ? undefined : context.schemas.readSchema(schema);
}
