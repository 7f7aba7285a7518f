/** Tells where each text of a listed tool comes from. */
import { ownMember, isRecord } from '../../../templates/runtime/json-rpc.ts';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { type JsonObject, type JsonSchema, escapePointerToken } from '../../util/json-schema.ts';
import type { Places } from '../../diagnostics/render/place.ts';
import type { Tool } from '../../model/server-model.ts';
import { isDocument } from '../../config/options/sources.ts';
import type { Origin } from '../../model/origin.ts';
import type { Operation } from '../../model/source-model.ts';
import { omitUndefined } from '../../util/collections.ts';
import type { WordOrigin } from '../protocol.ts';
import type { CompiledServer } from '../workspace.ts';
import type { ToolSource } from './tool-source.ts';

type From = Pick<WordOrigin, 'from' | 'file' | 'line'>;

export function findWordOrigins(
  tool: Tool,
  source: ToolSource,
  compiled: CompiledServer,
  places: Places,
): WordOrigin[] {
  const search = new WordSearch(tool, source, compiled, places);
  const texts: [pointer: string, text: string | undefined, from: () => From][] = [
    ['/name', tool.name, () => search.findOriginOfMember('name', tool.name)],
    ['/title', tool.title, () => search.findOriginOfMember('title', tool.title ?? '')],
    [
      '/description',
      tool.description,
      () => search.findOriginOfMember('description', tool.description ?? ''),
    ],
    ...Object.entries(tool.inputSchema.properties ?? {}).map(([name, schema]): (typeof texts)[number] => [
      `/inputSchema/properties/${escapePointerToken(name)}/description`,
      descriptionOf(schema),
      () => search.findOriginOfArgument(name, descriptionOf(schema) ?? ''),
    ]),
  ];
  return texts.flatMap(([pointer, text, from]) => (text === undefined ? [] : [{ pointer, text, ...from() }]));
}

export function descriptionOf(schema: JsonSchema): string | undefined {
  return typeof schema === 'object' ? schema.description : undefined;
}

class WordSearch {
  readonly #tool: Tool;
  readonly #source: ToolSource;
  readonly #compiled: CompiledServer;
  readonly #places: Places;

  constructor(tool: Tool, source: ToolSource, compiled: CompiledServer, places: Places) {
    this.#tool = tool;
    this.#source = source;
    this.#compiled = compiled;
    this.#places = places;
  }

  findOriginOfMember(member: 'name' | 'title' | 'description', text: string): From {
    const { derived, operation, toolWords } = this.#source;
    if (toolWords[member] !== undefined) return { from: 'configuration' };
    if (derived !== undefined && derived[member] !== text) return { from: 'hook' };
    if (operation === undefined) return this.#makeFunctionOrigin(text);
    const xMcpText = operation.xMcp?.[member];
    if (xMcpText !== undefined) return this.#makeXMcpOrigin(operation.origin, [member], xMcpText);
    const keys = member === 'name' ? ['operationId'] : ['summary', 'description'];
    return this.#makeDocumentOrigin(operation, keys, text);
  }

  findOriginOfArgument(name: string, text: string): From {
    const { operation, toolWords } = this.#source;
    if (ownMember(toolWords.arguments ?? {}, name)?.description !== undefined)
      return { from: 'configuration' };
    if (operation === undefined) return this.#makeFunctionOrigin(text);
    const rule = ownMember(operation.xMcp?.arguments ?? {}, name)?.description;
    if (rule !== undefined)
      return this.#makeXMcpOrigin(operation.origin, ['arguments', name, 'description'], rule);
    const configured = ownMember(this.#compiled.options?.tools ?? {}, this.#tool.name);
    if (ownMember(configured?.arguments ?? {}, name)?.description !== undefined)
      return { from: 'configuration' };
    const parameter = operation.parameters.find((parameter) => parameter.name === name);
    const place = parameter?.origin ?? operation.body?.origin;
    if (
      parameter?.description === undefined &&
      place === parameter?.origin &&
      !containsDescription(parameter?.schema, text)
    )
      return { from: 'generated' };
    return place === undefined
      ? { from: 'generated' }
      : { from: 'document', ...this.#findFileAndLine(place) };
  }

  #makeFunctionOrigin(text: string): From {
    const { origin } = this.#tool;
    return text === '' ? { from: 'generated' } : { from: 'function', ...this.#findFileAndLine(origin) };
  }

  /** The document may have the member itself. */
  #makeXMcpOrigin(origin: Origin, path: readonly string[], text: string): From {
    if (origin.kind !== 'document') return { from: 'configuration' };
    const { overlays = [], cwd = '.', sources } = this.#compiled.options ?? {};
    const all = [
      ...overlays,
      ...(sources ?? []).flatMap((source) => (isDocument(source) ? (source.overlays ?? []) : [])),
    ];
    const last = [...all].reverse().find((file) => fileContainsText(resolve(cwd, file), text));
    if (last !== undefined) return { from: 'overlay', file: last };
    const pointer = [origin.pointer, 'x-mcp', ...path.map(escapePointerToken)].join('/');
    return { from: 'document', ...this.#findFileAndLine({ ...origin, pointer }) };
  }

  #makeDocumentOrigin(operation: Operation, keys: readonly string[], text: string): From {
    const { origin } = operation;
    const texts: JsonObject = omitUndefined({
      operationId: operation.operationId ?? undefined,
      summary: operation.summary,
      description: operation.description,
    }) as JsonObject;
    const key = keys.find((key) => {
      const value = ownMember(texts, key);
      return typeof value === 'string' && value !== '' && doTextsOverlap(value, text);
    });
    if (key === undefined || origin.kind !== 'document') return { from: 'generated' };
    return { from: 'document', ...this.#findFileAndLine({ ...origin, pointer: `${origin.pointer}/${key}` }) };
  }

  #findFileAndLine(origin: Origin): Pick<WordOrigin, 'file' | 'line'> {
    const line = origin.kind === 'code' ? origin.line : this.#places.locate(origin)?.line;
    return { file: origin.file, ...omitUndefined({ line }) };
  }
}

function containsDescription(schema: unknown, text: string): boolean {
  return (
    isRecord(schema) &&
    typeof schema['description'] === 'string' &&
    text.includes(schema['description'].slice(0, 20))
  );
}

/** Cleaning changes white space, marks and the end of a text. */
function doTextsOverlap(quoted: string, text: string): boolean {
  const [one = '', other = ''] = [quoted, text].map((value) =>
    value
      .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '')
      .toLowerCase()
      .slice(0, 24),
  );
  return one !== '' && (one.startsWith(other) || other.startsWith(one));
}

function fileContainsText(path: string, text: string): boolean {
  try {
    return readFileSync(path, 'utf8').includes(text.slice(0, 30).split('\n')[0] ?? '');
  } catch {
    return false;
  }
}
