/** Content as a revision knows it: members it doesn't have are left out, kinds it doesn't have become text. */
import type { ContentBlock, ResourceContents } from '../protocol/content.ts';
import { type RevisionFeatures, without } from '../protocol/revisions.ts';

export function knownContent(block: ContentBlock, features: RevisionFeatures): object {
  const { content, unknownMembers } = features;
  if (!content.has(block.type)) return { type: 'text', text: inWords(block) };
  const known: Partial<ContentBlock> = without(block, unknownMembers.content);
  const { annotations } = block;
  if (block.type !== 'resource' && annotations === undefined) return known;
  return {
    ...known,
    ...(block.type === 'resource' ? { resource: knownContents(block.resource, features) } : {}),
    ...(annotations === undefined ? {} : { annotations: without(annotations, unknownMembers.annotations) }),
  };
}

export function knownContents(contents: ResourceContents, { unknownMembers }: RevisionFeatures): object {
  return without(contents, unknownMembers.resourceContents);
}

function inWords(block: ContentBlock): string {
  if (block.type === 'resource_link') {
    const { title, name, uri, description } = block;
    return `${title ?? name}: ${uri}${description === undefined ? '' : `\n${description}`}`;
  }
  const type = block.type === 'audio' || block.type === 'image' ? ` (${block.mimeType})` : '';
  return `Content of the kind ${block.type}${type} was left out: this client's protocol revision has none.`;
}
