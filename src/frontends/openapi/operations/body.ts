import type { JsonSchema } from '../../../../templates/runtime/schema/json-schema.ts';
import type { RequestBody } from '../../../model/source-model.ts';
import { definedMembers } from '../document/info.ts';
import { wordsOf } from '../document/text.ts';
import { type ReadContext, readRecord, readShared, reportPiece } from '../read-context.ts';
import { type RecordNode, identityOf, memberOf, originOf } from '../reference/source-node.ts';
import { contentEntries, readMediaType } from './media-types.ts';

/** The Request Body Object of an operation (OpenAPI 3). */
export function readBody(
  context: ReadContext,
  operation: RecordNode,
  label: string,
): RequestBody | undefined {
  const node = readRecord(context, memberOf(operation, 'requestBody'), `The body of ${label}`);
  if (node === undefined) return undefined;
  return readShared(context, `body ${identityOf(node)}`, () => readBodyObject(context, node, label));
}

function readBodyObject(context: ReadContext, node: RecordNode, label: string): RequestBody | undefined {
  const content = contentEntries(context, node).map(({ mediaType, node: entry }) =>
    readMediaType(context, mediaType, entry),
  );
  if (content.length === 0) {
    reportPiece(
      context,
      memberOf(node, 'content'),
      `\`content\` of the body of ${label}`,
      'an object of media types',
    );
    return undefined;
  }
  return {
    origin: originOf(node),
    required: node.value.required === true,
    ...definedMembers({ description: wordsOf(node.value.description) }),
    content,
  };
}
