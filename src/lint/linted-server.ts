/** The server as the rules of `lint` see it: each tool with the words of its source, apart from those that mcpgen made. */
import { operationKey } from '../model/operation-key.ts';
import type { Origin } from '../model/origin.ts';
import type { ServerModel, Tool } from '../model/server-model.ts';
import type { FunctionTool, Operation, SourceModel } from '../model/source-model.ts';
import { plainLine, plainText } from '../derive/text/plain-text.ts';
import { splitWords } from '../derive/text/tool-text.ts';
import type { ClientName, DirectoryName } from '../model/client-profiles.ts';
import { type LintedArgument, lintedArguments } from './linted-arguments.ts';
import { contentWords, METHOD_WORDS } from './words.ts';

export interface LintedTool {
  tool: Tool;
  /** `GET /pets/{petId}`; absent for a function. */
  operation?: Operation;
  /** The first words of the source; empty if it has none. */
  summary: string;
  /** All words of the source about the tool; empty if it has none. */
  said: string;
  /** Words that a model knows from the name, the method and the path. */
  known: ReadonlySet<string>;
  arguments: LintedArgument[];
}

export interface LintedServer {
  model: ServerModel;
  tools: LintedTool[];
  clients: readonly ClientName[];
  directories: readonly DirectoryName[];
}

type Source = Operation | FunctionTool;

export interface Audience {
  clients?: readonly ClientName[] | undefined;
  directories?: readonly DirectoryName[] | undefined;
}

/** `derived` is the model before the user's hook, whose texts count as the source's. */
export function lintedServer(
  model: ServerModel,
  derived: ServerModel,
  sources: readonly SourceModel[],
  { clients = [], directories = [] }: Audience,
): LintedServer {
  const items = new Map<string, Source>();
  for (const { capabilities } of sources)
    for (const each of capabilities)
      if (each.kind === 'operation' || each.kind === 'function-tool') items.set(originKey(each.origin), each);
  const before = new Map(derived.tools.map((tool) => [originKey(tool.origin), tool.description]));
  const tools = model.tools.map((tool) => {
    const key = originKey(tool.origin);
    return lintedTool(tool, items.get(key), tool.description !== before.get(key));
  });
  return { model, tools, clients, directories };
}

export function originKey(origin: Origin): string {
  return origin.kind === 'document'
    ? `${origin.file}#${origin.pointer}`
    : `${origin.file}:${String(origin.line)}:${String(origin.column)}`;
}

function lintedTool(tool: Tool, source: Source | undefined, isHooked: boolean): LintedTool {
  const { summary, said } = isHooked || source === undefined ? ownWords(tool) : sourceWords(source);
  const operation = source?.kind === 'operation' ? source : undefined;
  const key = operation === undefined ? '' : operationKey(operation);
  const names = [...splitWords(tool.name), ...splitWords(operation?.operationId ?? ''), ...splitWords(key)];
  const verbs = METHOD_WORDS[operation?.method ?? ''] ?? [];
  const known = new Set([...contentWords(names.join(' ')), ...verbs]);
  const linted = { tool, summary, said, known, arguments: lintedArguments(tool, source) };
  return operation === undefined ? linted : { ...linted, operation };
}

interface SourceWords {
  summary: string;
  said: string;
}

function ownWords({ description = '' }: Tool): SourceWords {
  return { summary: firstSentence(description), said: description };
}

function sourceWords(source: Source): SourceWords {
  if (source.kind === 'function-tool') {
    const said = plainText(source.description ?? '');
    return { summary: firstSentence(said), said };
  }
  const own = plainText(source.xMcp?.description ?? '');
  if (own !== '') return { summary: firstSentence(own), said: own };
  const summary = plainLine(source.summary ?? '');
  const description = plainText(source.description ?? '');
  const said = [summary, description].filter((text) => text !== '').join('\n\n');
  return { summary: summary === '' ? firstSentence(description) : summary, said };
}

export function firstSentence(text: string): string {
  const [sentence = ''] = /^.*?(?:[.!?](?=\s|$)|\n\n|$)/s.exec(text) ?? [];
  return sentence.trim();
}
