/** An overlay to begin with: what each tool of a document is called and says, for an author to improve. */
import { type CompileOptions, derive, isBlocked, judged, load } from './compile.ts';
import { toolWords } from './derive/index.ts';
import { DiagnosticCollector } from './diagnostics/collector.ts';
import type { Diagnostic } from './diagnostics/diagnostic.ts';
import type { SourceTexts } from './diagnostics/locate/source-texts.ts';
import type { ServerModel } from './model/server-model.ts';
import type { Operation } from './model/source-model.ts';

export interface OverlayDraft {
  /** The overlay as YAML; absent after an error. Applied as it is, it changes nothing. */
  text?: string;
  /** Tools in it. */
  tools: number;
  /** Tools whose operation stands in another file, which an overlay does not reach. */
  elsewhere: string[];
  /** The server's name. */
  name?: string;
  diagnostics: readonly Diagnostic[];
  texts: SourceTexts;
}

interface Named {
  operation: Operation;
  name: string;
  title: string;
}

/** Compiles one document, and writes down its tools. Rejects only when `signal` is aborted, or for a bug of mcpgen. */
export async function draftOverlay(options: CompileOptions): Promise<OverlayDraft> {
  const diagnostics = new DiagnosticCollector();
  const { parts, texts } = await load(options, diagnostics);
  const nothing = { tools: 0, elsewhere: [], texts };
  const [part] = parts ?? [];
  if (parts === undefined || part === undefined)
    return { ...nothing, diagnostics: judged(diagnostics, options) };
  const model = await derive(parts, options, diagnostics);
  const found = judged(diagnostics, options);
  if (isBlocked(diagnostics, options)) return { ...nothing, diagnostics: found };
  const named = namedOperations(part.source.capabilities.filter(isOperation), model);
  const here = named.filter(({ operation }) => fileOf(operation) === options.source);
  const elsewhere = named.filter((each) => !here.includes(each)).map(({ name }) => name);
  const { dump } = await import('js-yaml');
  const text = dump(overlayOf(here, model), { lineWidth: -1 });
  return { text, tools: here.length, elsewhere, name: model.name, diagnostics: found, texts };
}

function namedOperations(operations: readonly Operation[], { tools }: ServerModel): Named[] {
  const byOrigin = new Map(tools.map((tool) => [tool.origin, tool]));
  return operations.flatMap((operation) => {
    const tool = byOrigin.get(operation.origin);
    return tool === undefined ? [] : [{ operation, name: tool.name, title: tool.title ?? tool.name }];
  });
}

function overlayOf(named: readonly Named[], model: ServerModel): object {
  return {
    overlay: '1.1.0',
    info: { title: `Tools of ${model.title}`, version: '1.0.0' },
    actions: named.map(({ operation, name, title }) => ({
      target: queryOf(pointerOf(operation)),
      update: { 'x-mcp': { name, title, description: toolWords(operation) } },
    })),
  };
}

/** JSONPath (RFC 9535) for what a JSON Pointer names. */
function queryOf(pointer: string): string {
  const tokens = pointer.split('/').slice(1);
  const keys = tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  return `$${keys.map((key) => (/^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)).join('')}`;
}

function isOperation(capability: { kind: string }): capability is Operation {
  return capability.kind === 'operation';
}

function fileOf({ origin }: Operation): string {
  return origin.file;
}

function pointerOf({ origin }: Operation): string {
  return origin.kind === 'document' ? origin.pointer : '';
}
