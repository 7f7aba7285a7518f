import type { Response, ResponseContent } from '../../../model/source-model.ts';
import { definedMembers } from '../../../util/defined-members.ts';
import { wordsOf } from '../document/text.ts';
import { type ReadContext, readRecord, readShared } from '../read-context.ts';
import { type RecordNode, memberOf, originOf } from '../reference/source-node.ts';
import { readExample } from './examples.ts';
import type { OperationEntry } from './path-items.ts';
import { contentEntries, mediaTypeSchema } from './media-types.ts';
import { type HeaderReader, readResponseHeaders } from './response-headers.ts';

type ResponseContentReader = (context: ReadContext, node: RecordNode) => ResponseContent[];

interface ResponseReaders {
  content: ResponseContentReader;
  header: HeaderReader;
}

export function readResponses(
  context: ReadContext,
  { operation, method }: Pick<OperationEntry, 'operation' | 'method'>,
  label: string,
  read: ResponseReaders,
  sharedKey = '',
): Response[] {
  const shown = method === 'HEAD' ? 'all' : 'location';
  const responses = readRecord(context, memberOf(operation, 'responses'), `\`responses\` of ${label}`);
  return Object.keys(responses?.value ?? {}).flatMap((status) => {
    if (responses === undefined || status.startsWith('x-')) return [];
    const node = readRecord(context, memberOf(responses, status), `The response ${status} of ${label}`);
    if (node === undefined) return [];
    const shared = readShared(context, node, `response ${shown} ${sharedKey}`, () => ({
      origin: originOf(node),
      ...definedMembers({ description: wordsOf(node.value.description) }),
      content: read.content(context, node),
      ...readResponseHeaders(context, node, shown, read.header),
    }));
    return [{ status: status.replace(/^([1-5])xx$/i, '$1XX'), ...shared }];
  });
}

export function readResponseContent(context: ReadContext, node: RecordNode): ResponseContent[] {
  return contentEntries(context, node).map(({ mediaType, node: entry }) => {
    const schema = mediaTypeSchema(context, entry);
    return {
      mediaType,
      ...definedMembers({ schema }),
      ...readExample(context, entry, mediaType),
    };
  });
}
