/** Drafts an overlay with the names and descriptions of all tools of a document, for an author to improve. */
import { resolve } from 'node:path';
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
import { isDocument } from '../config/options/sources.ts';
import type { OldOverlay, OverlayUpdate } from '../frontends/openapi/overlay/print-overlay.ts';
import { removeSecretPartsOfUrl } from '../model/without-credentials.ts';
import type { ServerModel, Tool } from '../model/server-model.ts';
import type { Operation, SourceModel } from '../model/source-model.ts';
import { omitUndefined } from '../util/collections.ts';

export interface OverlayDraft {
  /** The overlay as YAML; absent after an error. Applied as it is, it changes nothing. */
  text?: string;
  tools: number;
  /** Tools whose operation is in another file, which an overlay cannot change. */
  elsewhere: string[];
  /** Targets of actions of the old overlay that the draft keeps, since they do more than update the texts of a tool. */
  kept: string[];
  /** The server's name. */
  name?: string;
  diagnostics: readonly Diagnostic[];
  texts: SourceTexts;
}

interface Named {
  operation: Operation;
  tool: Tool;
}

/**
 * Compiles one document and drafts an overlay for its tools. `into` returns the file of the draft, given the server's name. If
 * that file is one of the overlays, the draft keeps its other actions. Rejects only when `signal` is aborted, or for a bug of
 * mcpgen.
 */
export async function draftOverlay(
  options: CompileOptions,
  into?: (name: string) => string,
): Promise<OverlayDraft> {
  const diagnostics = new DiagnosticCollector();
  if (!checkOptions(options, 'draftOverlay', diagnostics))
    return { tools: 0, elsewhere: [], kept: [], diagnostics: diagnostics.found, texts: noTexts };
  const { parts, texts } = await runLoadStage(options, diagnostics);
  const nothing = { tools: 0, elsewhere: [], kept: [], texts };
  const [part] = parts ?? [];
  if (parts === undefined || part === undefined)
    return { ...nothing, diagnostics: sortAndEscalateDiagnostics(diagnostics, options) };
  const { derived: model } = await runDeriveStage(parts, { ...options, tools: {} }, diagnostics);
  const sorted = sortAndEscalateDiagnostics(diagnostics, options);
  if (hasBlockingDiagnostics(diagnostics, options)) return { ...nothing, diagnostics: sorted };
  const { capabilities, schemas } = addHeaderSchemes(part.source);
  const operationTools = pairOperationsWithTools(capabilities.filter(isOperation), model);
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
  const { text, kept } = await printDraft(
    `Tools of ${model.title}`,
    updates,
    findReplacedOverlay(options, into?.(model.name), texts),
  );
  return { text, kept, tools: here.length, elsewhere, name: model.name, diagnostics: sorted, texts };
}

async function printDraft(
  title: string,
  updates: OverlayUpdate[],
  old: OldOverlay | undefined,
): Promise<{ text: string; kept: string[] }> {
  if (old === undefined) {
    const { printOverlay } = await import('../frontends/openapi/overlay/print-overlay.ts');
    return { text: printOverlay(title, updates), kept: [] };
  }
  const { replaceOverlayUpdates } = await import('../frontends/openapi/overlay/print-overlay.ts');
  return replaceOverlayUpdates(old, updates);
}

/** Finds the existing overlay, as this run read it. Undefined if the run did not apply it. */
function findReplacedOverlay(
  { sources, overlays = [], cwd = '.', limits }: CompileOptions,
  into: string | undefined,
  texts: SourceTexts,
): OldOverlay | undefined {
  if (into === undefined) return undefined;
  const [only] = sources?.filter(isDocument) ?? [];
  const file = (only?.overlays ?? overlays).find((overlay) => resolve(cwd, overlay) === resolve(cwd, into));
  const text = file === undefined ? undefined : texts.textOf(file);
  if (file === undefined || text === undefined) return undefined;
  return { file, text, ...omitUndefined({ limits }) };
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

function isOperation(capability: { kind: string }): capability is Operation {
  return capability.kind === 'operation';
}
