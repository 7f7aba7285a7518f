/** Tells where each text of a listed tool comes from. */
import { htmlToPlainText } from '../../derive/text/plain-text.ts';
import { normalizeLetters } from '../../model/letters.ts';
import { ownMember } from '../../../templates/runtime/json-rpc.ts';
import { type JsonSchema, escapePointerToken } from '../../util/json-schema.ts';
import type { Places } from '../../diagnostics/render/place.ts';
import type { Tool } from '../../model/server-model.ts';
import type { Origin } from '../../model/origin.ts';
import { omitUndefined } from '../../util/collections.ts';
import type { WordOrigin } from '../protocol.ts';
import type { ToolSource } from './tool-source.ts';

type From = Pick<WordOrigin, 'from' | 'file' | 'line' | 'isExtended'>;
type Member = 'name' | 'title' | 'description';

/** Members of an operation that a text of its tool is made from, the most telling first. */
const SOURCES = {
  name: ['operationId'],
  title: ['summary'],
  description: ['description', 'summary'],
} as const;

export function findWordOrigins(
  tool: Tool,
  { derived, operation, rules }: ToolSource,
  places: Places,
): WordOrigin[] {
  const locate = (from: From['from'], origin: Origin, ...steps: string[]): From => {
    const pointer = origin.kind === 'document' ? [origin.pointer, ...steps].join('/') : '';
    const line = origin.kind === 'code' ? origin.line : places.locate({ ...origin, pointer })?.line;
    return { from, file: origin.file, ...omitUndefined({ line }) };
  };
  const findOriginOfMember = (member: Member): From => {
    if (rules[member] !== undefined) return { from: 'configuration' };
    const text = tool[member] ?? '';
    if (derived !== undefined && derived[member] !== text) return { from: 'hook' };
    if (operation === undefined) return locate('function', tool.origin);
    const { xMcp, operationId, summary, description } = operation;
    if (xMcp?.[member] !== undefined)
      return markAdditions(text, [xMcp[member]], locate('document', operation.origin, 'x-mcp', member));
    const key = SOURCES[member].find((key) => (operation[key] ?? '') !== '');
    if (key === undefined) return { from: 'generated' };
    const texts = member === 'name' ? [operationId] : [summary, description];
    return markAdditions(text, texts, locate('document', operation.origin, key));
  };
  const findOriginOfArgument = (name: string, text: string): From => {
    if (ownMember(rules.arguments ?? {}, name)?.description !== undefined) return { from: 'configuration' };
    if (operation === undefined) return locate('function', tool.origin);
    if (ownMember(operation.xMcp?.arguments ?? {}, name)?.description !== undefined)
      return locate('document', operation.origin, 'x-mcp', 'arguments', escapePointerToken(name));
    const parameter = operation.parameters.find((parameter) => parameter.name === name);
    if (parameter !== undefined) {
      const { description, schema, origin } = parameter;
      const texts = [description, typeof schema === 'object' ? schema.description : undefined];
      const place = locate('document', origin);
      // A shared schema may have the text.
      return texts.some(Boolean) ? markAdditions(text, texts, place) : place;
    }
    const origin = operation.body?.origin;
    return origin === undefined ? { from: 'generated' } : locate('document', origin);
  };
  const members = (['name', 'title', 'description'] as const).flatMap((member): WordOrigin[] => {
    const text = tool[member];
    return text === undefined ? [] : [{ pointer: `/${member}`, text, ...findOriginOfMember(member) }];
  });
  const argumentOrigins = Object.entries(tool.inputSchema.properties ?? {}).flatMap(
    ([name, schema]): WordOrigin[] => {
      const text = descriptionOf(schema);
      const pointer = `/inputSchema/properties/${escapePointerToken(name)}/description`;
      return text === undefined ? [] : [{ pointer, text, ...findOriginOfArgument(name, text) }];
    },
  );
  return [...members, ...argumentOrigins];
}

/** Sentences that stand in none of the source's texts are mcpgen's own. */
function markAdditions(text: string, texts: readonly (string | undefined)[], place: From): From {
  const written = normalizeLetters(texts.map((each = '') => htmlToPlainText(each)).join(' '));
  const sentences = text.split(/(?<=[.!?…])\s+|\n+/).map((sentence) => normalizeLetters(sentence));
  const added = sentences.filter((letters) => !written.includes(letters));
  if (added.length === sentences.length) return { from: 'generated' };
  return added.length === 0 ? place : { ...place, isExtended: true };
}

export function descriptionOf(schema: JsonSchema): string | undefined {
  return typeof schema === 'object' ? schema.description : undefined;
}
