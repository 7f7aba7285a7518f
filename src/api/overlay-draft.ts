/** Drafts an overlay with the names and descriptions of all tools of a document, for an author to improve. */
import { checkOptions } from './check-options.ts';
import {
  runDeriveStage,
  hasBlockingDiagnostics,
  sortAndEscalateDiagnostics,
  runLoadStage,
} from './compile.ts';
import type { CompileOptions } from './options.ts';
import { describeOperation, addHeaderSchemes, listNeeds } from '../derive/index.ts';
import { type Diagnostic, DiagnosticCollector } from '../diagnostics/collector.ts';
import { noTexts, type SourceTexts } from '../diagnostics/locate/text-places.ts';
import type { OverlayUpdate } from '../frontends/openapi/overlay/print-overlay.ts';
import { removeSecretPartsOfUrl } from '../model/without-credentials.ts';
import type { ServerModel, Tool } from '../model/server-model.ts';
import type { Operation, SourceModel } from '../model/source-model.ts';

export interface OverlayDraft {
  /** The overlay as YAML; absent after an error. Applied as it is, it changes nothing. */
  text?: string;
  tools: number;
  /** Tools whose operation is in another file, which an overlay cannot change. */
  elsewhere: string[];
  /** The server's name. */
  name?: string;
  diagnostics: readonly Diagnostic[];
  texts: SourceTexts;
}

interface Named {
  operation: Operation;
  tool: Tool;
}

/** Compiles one document and drafts an overlay for its tools. Rejects only when `signal` is aborted, or for a bug of mcpgen. */
export async function draftOverlay(options: CompileOptions): Promise<OverlayDraft> {
  const diagnostics = new DiagnosticCollector();
  if (!checkOptions(options, 'draftOverlay', diagnostics))
    return { tools: 0, elsewhere: [], diagnostics: diagnostics.found, texts: noTexts };
  const { parts, texts } = await runLoadStage(options, diagnostics);
  const nothing = { tools: 0, elsewhere: [], texts };
  const [part] = parts ?? [];
  if (parts === undefined || part === undefined)
    return { ...nothing, diagnostics: sortAndEscalateDiagnostics(diagnostics, options) };
  const { derived: model } = await runDeriveStage(parts, { ...options, tools: {} }, diagnostics);
  const sorted = sortAndEscalateDiagnostics(diagnostics, options);
  if (hasBlockingDiagnostics(diagnostics, options)) return { ...nothing, diagnostics: sorted };
  const { capabilities, schemas } = addHeaderSchemes(part.source);
  const operationTools = pairOperationsWithTools(
    capabilities.filter((capability) => capability.kind === 'operation'),
    model,
  );
  const here = operationTools.filter(({ operation }) => operation.origin.file === part.source.origin.file);
  const elsewhere = operationTools
    .filter((operationTool) => !here.includes(operationTool))
    .map(({ tool }) => tool.name);
  if (here.length === 0) {
    diagnostics.report('nothing-to-overlay', { source: removeSecretPartsOfUrl(options.source) });
    return {
      ...nothing,
      elsewhere,
      name: model.name,
      diagnostics: sortAndEscalateDiagnostics(diagnostics, options),
    };
  }
  const updates = here.map((operationTool) => makeUpdate(operationTool, schemas));
  const { printOverlay } = await import('../frontends/openapi/overlay/print-overlay.ts');
  const text = printOverlay(`Tools of ${model.title}`, updates);
  return { text, tools: here.length, elsewhere, name: model.name, diagnostics: sorted, texts };
}

function pairOperationsWithTools(operations: readonly Operation[], { tools }: ServerModel): Named[] {
  const byOrigin = new Map(tools.map((tool) => [tool.origin, tool]));
  return operations.flatMap((operation) => {
    const tool = byOrigin.get(operation.origin);
    return tool === undefined ? [] : [{ operation, tool }];
  });
}

function makeUpdate({ operation, tool }: Named, schemas: SourceModel['schemas']): OverlayUpdate {
  const { name, title = name, annotations, inputSchema, binding } = tool;
  const { origin } = operation;
  const needs = listNeeds(inputSchema.required ?? [], binding.kind === 'http' ? binding.body : undefined);
  const description = describeOperation(operation, { name, schemas, needs });
  return {
    pointer: origin.kind === 'document' ? origin.pointer : '',
    update: { 'x-mcp': { name, title, description, annotations } },
  };
}
