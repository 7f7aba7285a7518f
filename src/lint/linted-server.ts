/** The server as the rules of `lint` see it: each tool with the words of its source, apart from those that mcpgen made. */
import type { JsonSchema, JsonSchemaObject } from '../util/json-schema.ts';
import { ownMember } from '../../templates/runtime/json-rpc.ts';
import { operationKey } from '../model/operation-key.ts';
import type { Origin } from '../model/origin.ts';
import { asSchemaObject, findDefinition, inlineReference } from '../model/schema-walk.ts';
import type { ServerModel, Tool } from '../model/server-model.ts';
import type { FunctionTool, Operation, SourceModel } from '../model/source-model.ts';
import { ConfiguredTools, type DeriveOptions } from '../derive/index.ts';
import { htmlToPlainLine, htmlToPlainText } from '../derive/text/plain-text.ts';
import { splitWords } from '../derive/text/tool-text.ts';
import type { ClientName } from '../model/client-profiles.ts';
import { omitUndefined } from '../util/collections.ts';
import { stemsWithoutStopWords, METHOD_WORDS } from './words.ts';

export interface LintedTool {
  tool: Tool;
  /** `GET /pets/{petId}`; absent for a function. */
  operation?: Operation;
  /** The document of its operation, if an overlay of that document can change it. */
  document?: string;
  /** Stems of the first words of the source; empty if it has none. */
  summaryWords: readonly string[];
  /** All words of the source about the tool; empty if it has none. */
  sourceText: string;
  /** Words that a model knows from the name, the method and the path. */
  knownWords: ReadonlySet<string>;
  arguments: LintedArgument[];
}

export interface LintedServer {
  model: ServerModel;
  tools: LintedTool[];
  clients: readonly ClientName[];
}

interface Item {
  source: Operation | FunctionTool;
  document: string;
}

export interface Audience {
  clients?: readonly ClientName[] | undefined;
}

/** `derived` is the model before the user's hook; its texts count as the source's unless `tools` has them. */
export function makeLintedServer(
  model: ServerModel,
  derived: ServerModel,
  sources: readonly SourceModel[],
  { clients = [], tools: rules = {} }: Audience & Pick<DeriveOptions, 'tools'>,
): LintedServer {
  const items = new Map<string, Item>();
  for (const { capabilities, origin } of sources)
    for (const source of capabilities)
      if (source.kind === 'operation' || source.kind === 'function-tool')
        items.set(originKey(source.origin), { source, document: origin.file });
  const before = new Map(derived.tools.map((tool) => [originKey(tool.origin), tool]));
  const configured = new ConfiguredTools({ tools: rules });
  const tools = model.tools.map((tool) => {
    const key = originKey(tool.origin);
    const source = before.get(key);
    const isConfigured = source !== undefined && configured.rulesOf(source).description !== undefined;
    return makeLintedTool(tool, items.get(key), isConfigured || tool.description !== source?.description);
  });
  return { model, tools, clients };
}

function originKey(origin: Origin): string {
  return origin.kind === 'document'
    ? `${origin.file}#${origin.pointer}`
    : `${origin.file}:${String(origin.line)}:${String(origin.column)}`;
}

function makeLintedTool(tool: Tool, item: Item | undefined, isHooked: boolean): LintedTool {
  const source = item?.source;
  const { description = '' } = tool;
  const { summary, sourceText } =
    isHooked || source === undefined
      ? { summary: firstSentence(description), sourceText: description }
      : findSourceTexts(source);
  const operation = source?.kind === 'operation' ? source : undefined;
  const key = operation === undefined ? '' : operationKey(operation);
  const names = [...splitWords(tool.name), ...splitWords(operation?.operationId ?? ''), ...splitWords(key)];
  const verbs = ownMember(METHOD_WORDS ?? {}, operation?.method ?? '') ?? [];
  const knownWords = new Set([...stemsWithoutStopWords(names.join(' ')), ...verbs]);
  const isInDocument = operation?.origin.kind === 'document' && operation.origin.file === item?.document;
  const document = isInDocument && !isHooked ? item.document : undefined;
  return {
    ...{ tool, summaryWords: stemsWithoutStopWords(summary), sourceText, knownWords },
    arguments: listLintedArguments(tool, source),
    ...omitUndefined({ operation, document }),
  };
}

interface SourceWords {
  summary: string;
  sourceText: string;
}

function findSourceTexts(source: Item['source']): SourceWords {
  if (source.kind === 'function-tool') {
    const description = htmlToPlainText(source.description ?? '');
    return { summary: firstSentence(description), sourceText: description };
  }
  const xMcpDescription = htmlToPlainText(source.xMcp?.description ?? '');
  const summary = htmlToPlainLine(source.summary ?? '');
  if (xMcpDescription !== '')
    return {
      summary:
        xMcpDescription.startsWith(summary) && summary !== '' ? summary : firstSentence(xMcpDescription),
      sourceText: xMcpDescription,
    };
  const description = htmlToPlainText(source.description ?? '');
  const sourceText = [summary, description].filter((text) => text !== '').join('\n\n');
  return { summary: summary === '' ? firstSentence(description) : summary, sourceText };
}

/** Begins the words that `--fix` takes from a response. They tell the result, so they are no summary. */
export const RESPONSE = 'Response: ';

function firstSentence(text: string): string {
  const [sentence = ''] = text.startsWith(RESPONSE) ? [] : (/^.*?(?:[.!?](?=\s|$)|\n\n|$)/s.exec(text) ?? []);
  return sentence.trim();
}

export interface LintedArgument {
  name: string;
  /** The schema, with the target of a reference in its place. */
  schema: JsonSchemaObject;
  origin: Origin;
  /** `path`, `query` and so on. A member of a body also has the first words of the path, since only siblings mean the same by it. */
  place: string;
}

function listLintedArguments(
  { inputSchema, origin, binding }: Tool,
  source?: Operation | FunctionTool,
): LintedArgument[] {
  const { properties = {}, $defs = {} } = inputSchema;
  const findTarget = (ref: unknown): JsonSchema | undefined => findDefinition($defs, ref);
  const places = argumentOrigins(binding, source);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema: asSchemaObject(inlineReference(schema, { findTarget })),
    origin: places.get(name) ?? origin,
    place: findArgumentLocation(name, binding),
  }));
}

function findArgumentLocation(name: string, binding: Tool['binding']): string {
  if (binding.kind !== 'http') return binding.kind;
  const parameter = binding.parameters.find((parameter) => parameter.argument === name);
  return parameter?.in ?? `body of ${binding.path.split('{', 1)[0] ?? ''}`;
}

/** Arguments may have other names than the source gives them. */
function argumentOrigins(
  binding: Tool['binding'],
  source?: Operation | FunctionTool,
): ReadonlyMap<string, Origin> {
  if (source?.kind === 'operation') {
    const bound = binding.kind === 'http' ? binding.parameters : [];
    return new Map(
      source.parameters.flatMap(({ name, in: place, origin }) => {
        const parameter = bound.find((candidate) => candidate.name === name && candidate.in === place);
        return parameter === undefined ? [] : [[parameter.argument, origin]];
      }),
    );
  }
  const { properties: renamed = {} } = binding.kind === 'function' ? binding : {};
  const names = new Map(Object.entries(renamed).map(([now, before]) => [before, now]));
  const origins = Object.entries(source?.argumentOrigins ?? {});
  return new Map(origins.map(([name, origin]) => [names.get(name) ?? name, origin]));
}

const TELLING = ['format', 'pattern', 'enum', 'const', 'default', 'properties', 'contentMediaType'] as const;

/** Whether the schema tells what to send, words aside. */
export function isInformative(schema: JsonSchemaObject): boolean {
  if (TELLING.some((keyword) => schema[keyword] !== undefined)) return true;
  if (schema.examples !== undefined && schema.examples.length > 0) return true;
  const parts = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return parts.some((part) => typeof part === 'object' && (part.$ref !== undefined || isInformative(part)));
}
