import type { EncodingBinding } from '../../../model/bindings.ts';
import { mediaTypeEssence } from '../../../util/http-syntax.ts';
import { omitUndefined } from '../../../util/collections.ts';
import { setOwnMember } from '../document/record.ts';
import { type ReadContext, resolveRecordNode } from '../read-context.ts';
import { type RecordNode, keyOrigin, listMemberNodes, memberNode } from '../reference/source-node.ts';
import { isParameterStyle } from './parameter-style.ts';

/** Fields of an Encoding Object that only a multipart body of parts without names, or within parts, would need. */
const OF_POSITIONS = ['prefixEncoding', 'itemEncoding'];

/** Reads the Encoding Objects of a Media Type Object, by the name of the property. */
export function readEncodings(
  context: ReadContext,
  node: RecordNode,
  mediaType: string,
): Record<string, EncodingBinding> | undefined {
  const type = mediaTypeEssence(mediaType);
  const isForm = type === 'application/x-www-form-urlencoded';
  const hasStyles = isForm || type === 'multipart/form-data';
  const reportIdle = (owner: RecordNode, fields: readonly string[], because: string): void => {
    for (const field of fields.filter((name) => owner.value[name] !== undefined))
      context.report('field-without-effect', { field, because }, { at: keyOrigin(memberNode(owner, field)) });
  };
  reportIdle(node, OF_POSITIONS, 'parts are written by name alone');
  if (!isForm && !type.startsWith('multipart/')) {
    reportIdle(node, ['encoding'], `${mediaType} has no parts that are written so`);
    return undefined;
  }
  const encodings: Record<string, EncodingBinding> = {};
  const entries = resolveRecordNode(context, memberNode(node, 'encoding'), '`encoding`');
  for (const [name, member] of listMemberNodes(entries)) {
    const entry = resolveRecordNode(context, member, `The encoding of ${name}`);
    if (entry === undefined) continue;
    const { contentType, style, explode, allowReserved } = entry.value;
    reportIdle(entry, ['encoding', ...OF_POSITIONS], 'a part has no parts of its own');
    if (!isForm) reportIdle(entry, ['headers'], 'parts are sent without headers of their own');
    const isStyle = isParameterStyle('query', style);
    if (hasStyles && !isStyle) reportIdle(entry, ['style'], `${JSON.stringify(style)} is none of a form`);
    const binding: EncodingBinding = {
      ...(typeof contentType === 'string' && contentType !== '' ? { contentType } : {}),
      // Each style field that is written turns style serialisation on.
      ...(hasStyles && {
        ...omitUndefined({ style: isStyle ? style : undefined }),
        ...(typeof explode === 'boolean' ? { explode } : {}),
        ...(typeof allowReserved === 'boolean' ? { allowReserved } : {}),
      }),
    };
    if (Object.keys(binding).length > 0) setOwnMember(encodings, name, binding);
  }
  return Object.keys(encodings).length === 0 ? undefined : encodings;
}
