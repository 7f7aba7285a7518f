/** A message for a client's model, as the revision knows it. */
import type { SampleMessage } from '../definition.ts';
import type { RevisionFeatures } from '../protocol/revisions.ts';
import { without } from '../protocol/revisions.ts';
import type { JsonObject } from '../contract/json-schema.ts';
import { AskError } from './asks.ts';

/** @throws {AskError} for content that the revision has no place for: part of a question is another question */
export function knownMessage(
  { role, content, ...rest }: SampleMessage,
  features: RevisionFeatures,
): SampleMessage {
  const blocks = [content].flat().map((block) => knownBlock(block, features));
  // One block a message, and nothing beside it, until tools came.
  if (features.samplingTools)
    return { ...rest, role, content: Array.isArray(content) ? blocks : oneOf(blocks) };
  return { role, content: oneOf(blocks) };
}

function oneOf(blocks: readonly JsonObject[]): JsonObject {
  const [block] = blocks;
  if (block !== undefined && blocks.length === 1) return block;
  throw new AskError("The client's model takes one content block a message.");
}

/** What says that tools are used is judged before, by what the client declares. */
const KINDS: readonly unknown[] = ['text', 'image', 'tool_use', 'tool_result'];

function knownBlock(block: JsonObject, { content, unknownMembers }: RevisionFeatures): JsonObject {
  const { type } = block;
  if (KINDS.includes(type) || (type === 'audio' && content.has('audio')))
    return without(block, unknownMembers.content) as JsonObject;
  throw new AskError(`The client's model takes no content of the kind ${String(type)}.`);
}
