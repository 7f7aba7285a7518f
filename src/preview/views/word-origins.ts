/** Tells where each text of a listed tool comes from. */
import { ownMember } from '../../../templates/runtime/json-rpc.ts';
import { type JsonSchema, escapePointerToken } from '../../util/json-schema.ts';
import type { Places } from '../../diagnostics/render/place.ts';
import type { Tool } from '../../model/server-model.ts';
import type { Origin } from '../../model/origin.ts';
import { omitUndefined } from '../../util/collections.ts';
import type { WordOrigin } from '../protocol.ts';
import type { ToolSource } from './tool-source.ts';

type From = Pick<WordOrigin, 'from' | 'file' | 'line'>;
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
    if (derived !== undefined && derived[member] !== tool[member]) return { from: 'hook' };
    if (operation === undefined) return locate('function', tool.origin);
    if (operation.xMcp?.[member] !== undefined) return locate('document', operation.origin, 'x-mcp', member);
    const key = SOURCES[member].find((key) => (operation[key] ?? '') !== '');
    return key === undefined ? { from: 'generated' } : locate('document', operation.origin, key);
  };
  const findOriginOfArgument = (name: string): From => {
    if (ownMember(rules.arguments ?? {}, name)?.description !== undefined) return { from: 'configuration' };
    if (operation === undefined) return locate('function', tool.origin);
    if (ownMember(operation.xMcp?.arguments ?? {}, name)?.description !== undefined)
      return locate('document', operation.origin, 'x-mcp', 'arguments', escapePointerToken(name));
    const parameter = operation.parameters.find((parameter) => parameter.name === name);
    const origin = parameter?.origin ?? operation.body?.origin;
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
      return text === undefined ? [] : [{ pointer, text, ...findOriginOfArgument(name) }];
    },
  );
  return [...members, ...argumentOrigins];
}

export function descriptionOf(schema: JsonSchema): string | undefined {
  return typeof schema === 'object' ? schema.description : undefined;
}
