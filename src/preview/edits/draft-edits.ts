/** Turns edits of the page into new texts of the files that hold them. Nothing is written here. */
import { isDeepStrictEqual } from 'node:util';
import { join, resolve } from 'node:path';

import { OVERLAY_FILE, SURFACE_FILE } from '../../config/options/surface-file.ts';
import { isDocument } from '../../config/options/sources.ts';
import { DiagnosticError } from '../../diagnostics/collector.ts';
import { type OverlayEdit, editOverlay } from '../../frontends/openapi/overlay/print-overlay.ts';
import { DEFAULT_FEATURES, FEATURE_NAMES } from '../../model/features.ts';
import { operationKey } from '../../model/operation-key.ts';
import type { Tool } from '../../model/server-model.ts';
import type { Operation } from '../../model/source-model.ts';
import { Refusal } from '../problem.ts';
import type { Edit, ToolEdit } from '../protocol.ts';
import type { PreviewSource } from '../source.ts';
import { selectableKey, sourceKind } from '../views/surface-view.ts';
import type { CompiledServer } from '../workspace.ts';
import { applyEditToToolWords, editXMcp, setOrRemoveMembers } from './change-words.ts';
import { canEditInOverlay } from './edited-place.ts';
import { readEditableFile } from './files.ts';
import { SurfaceText } from './surface-text.ts';

export interface DraftedFile {
  /** The absolute path of the file. */
  path: string;
  name: string;
  before: string | undefined;
  /** The text after the edit; `undefined`: the file goes. */
  after: string | undefined;
}

/** Files that change, in the order in which they can be written. @throws {Refusal} */
export async function draftEdits(
  edits: readonly Edit[],
  compiled: CompiledServer,
  { folder, config }: PreviewSource,
): Promise<DraftedFile[]> {
  const [overlayPath, surfacePath] = [join(folder, OVERLAY_FILE), join(folder, SURFACE_FILE)];
  const [overlay, written] = [readEditableFile(overlayPath), readEditableFile(surfacePath)];
  const surface = new SurfaceText(written, compiled.isNamed ? compiled.name : undefined);
  const drafting = new Drafting(compiled, surface, config !== undefined);
  for (const edit of edits) drafting.applyEdit(edit);
  const isNamedByConfig = !surface.overlays.includes(OVERLAY_FILE) && configHasOverlay(compiled, overlayPath);
  const after = await editOverlayText(overlay, drafting.overlaid, isNamedByConfig).catch(
    (thrown: unknown) => {
      if (thrown instanceof DiagnosticError) throw new Refusal(409, thrown.message);
      throw thrown;
    },
  );
  if (drafting.overlaid.length > 0 && !isNamedByConfig) {
    if (after === undefined) surface.removeOverlay(OVERLAY_FILE);
    else surface.addOverlay(OVERLAY_FILE);
  }
  const files: DraftedFile[] = [
    { path: overlayPath, name: OVERLAY_FILE, before: overlay, after },
    {
      path: surfacePath,
      name: SURFACE_FILE,
      before: written,
      after: surface.printedText,
    },
  ];
  return files.filter((file) => file.before !== file.after);
}

async function editOverlayText(
  text: string | undefined,
  edits: readonly OverlayEdit[],
  isNeeded: boolean,
): Promise<string | undefined> {
  if (edits.length === 0) return text;
  const old = text === undefined ? undefined : { file: OVERLAY_FILE, text };
  const changed = await editOverlay('Words for models', old, edits);
  // The configuration names the file, and an overlay needs an action.
  if (changed !== undefined || !isNeeded) return changed;
  return editOverlay('Words for models', undefined, [
    { pointer: '/info', change: () => ({ enabled: true }) },
  ]);
}

/** Whether the configuration itself names the overlay. */
function configHasOverlay({ options }: CompiledServer, path: string): boolean {
  const { overlays = [], cwd = '.', sources = [] } = options ?? {};
  const ofSources = sources.flatMap((source) => (isDocument(source) ? (source.overlays ?? []) : []));
  return [...overlays, ...ofSources].some((file) => resolve(cwd, file) === path);
}

class Drafting {
  readonly overlaid: OverlayEdit[] = [];
  readonly #compiled: CompiledServer;
  readonly #surface: SurfaceText;
  readonly #hasConfig: boolean;

  constructor(compiled: CompiledServer, surface: SurfaceText, hasConfig: boolean) {
    this.#compiled = compiled;
    this.#surface = surface;
    this.#hasConfig = hasConfig;
  }

  applyEdit(edit: Edit): void {
    switch (edit.kind) {
      case 'tool':
        return this.#editTool(edit.name, edit.set);
      case 'selection': {
        if (sourceKind(this.#compiled) === 'typescript')
          throw new Refusal(400, 'Functions are not selected by tags or methods. Hide single tools instead.');
        this.#refuseOtherSelections();
        const { include, exclude } = edit;
        return this.#setMembers({
          include: this.#normalizeSelectors(include),
          exclude: this.#normalizeSelectors(exclude),
        });
      }
      case 'surface':
        return this.#setMembers({ surface: edit.surface });
      case 'features':
        return this.#setMembers({ features: this.#computeFeatureList(edit.features) });
      case 'fix':
        return this.#applyFixes(edit.tools);
    }
  }

  /** The selection of the surface file holds for each document, so it would serve what one of them leaves out. */
  #refuseOtherSelections(): void {
    const documents = this.#compiled.options?.sources?.filter(isDocument) ?? [];
    const [first, ...others] = documents.map(({ include = [], exclude = [] }) => ({ include, exclude }));
    if (others.some((other) => !isDeepStrictEqual(other, first)))
      throw new Refusal(
        400,
        'The documents have selections of their own, which one for all of them would replace.',
        'Change the selection in the configuration, or hide single tools.',
      );
  }

  #setMembers(members: Record<string, unknown>): void {
    this.#surface.setMembers(members);
  }

  /** An empty list replaces one of the configuration. */
  #normalizeSelectors(selectors: string[] | undefined): string[] | null | undefined {
    return selectors?.length === 0 && !this.#hasConfig ? null : selectors;
  }

  #computeFeatureList(switches: Record<string, boolean>): string[] | null {
    const unknown = Object.keys(switches).find((name) => !FEATURE_NAMES.includes(name));
    if (unknown !== undefined) throw new Refusal(400, `There is no feature ${JSON.stringify(unknown)}.`);
    const now = this.#compiled.options?.features ?? DEFAULT_FEATURES;
    const names = FEATURE_NAMES.filter((name) => switches[name] ?? now.includes(name));
    return isDeepStrictEqual(names, DEFAULT_FEATURES) && !this.#hasConfig ? null : names;
  }

  #editTool(name: string, set: ToolEdit): void {
    const { tool, operation } = this.#findTool(name);
    const place = tool ?? operation;
    if (place === undefined) throw new Refusal(404, `There is no tool ${JSON.stringify(name)}.`);
    if (operation !== undefined && canEditInOverlay(place, this.#compiled)) {
      const { origin } = operation;
      const pointer = origin.kind === 'document' ? origin.pointer : '';
      const rules = Object.entries(operation.xMcp?.arguments ?? {});
      const keyOf = (argument: string): string =>
        rules.find(([, rule]) => rule.name === argument)?.[0] ?? argument;
      this.overlaid.push({ pointer, change: (before) => editXMcp(before, set, keyOf) });
      return;
    }
    const key = this.#findOriginalName(tool, name);
    this.#surface.changeToolWords(key, (toolWords) => applyEditToToolWords(toolWords, set));
  }

  /** A hidden tool is found by its operation, or by its name without words of the configuration. */
  #findTool(name: string): { tool?: Tool | undefined; operation?: Operation | undefined } {
    const { model, derived, parts = [] } = this.#compiled.report;
    const deselected = model?.deselected?.find(
      (operation) => selectableKey(operation) === name || operation.op.includes(name),
    );
    const tool =
      model?.tools.find((tool) => tool.name === name) ?? derived?.tools.find((tool) => tool.name === name);
    const key = deselected === undefined ? undefined : selectableKey(deselected);
    const operation = parts
      .flatMap(({ source }) => source.capabilities)
      .find(
        (capability): capability is Operation =>
          capability.kind === 'operation' &&
          (tool === undefined
            ? operationKey(capability) === key
            : isDeepStrictEqual(capability.origin, tool.origin)),
      );
    return { tool, operation };
  }

  #findOriginalName(tool: Tool | undefined, name: string): string {
    const before = this.#compiled.report.derived?.tools.find(
      (each) => tool !== undefined && isDeepStrictEqual(each.origin, tool.origin),
    );
    return before?.name ?? name;
  }

  #applyFixes(names: readonly string[] | undefined): void {
    const { fixes = [], model } = this.#compiled.report;
    const chosenTools = names && model?.tools.filter(({ name }) => names.includes(name));
    const isWanted = (pointer: string): boolean =>
      chosenTools?.some(({ origin }) => origin.kind === 'document' && origin.pointer === pointer) ?? true;
    const updates = fixes.flatMap((fix) => fix.updates).filter(({ pointer }) => isWanted(pointer));
    if (updates.length === 0 || (this.#compiled.report.parts ?? []).length !== 1)
      throw new Refusal(400, 'Nothing of this can be fixed with words of the source alone.');
    for (const { pointer, update } of updates)
      this.overlaid.push({ pointer, change: (before) => joinFixes(before, { ...update['x-mcp'] }) });
  }
}

type Rec = Record<string, unknown>;

/** Arguments and hints of both stay. */
function joinFixes(before: Rec, fix: Rec): Rec {
  const mergeMember = (name: string): Rec | undefined => {
    const [old, now] = [before[name], fix[name]];
    return typeof old === 'object' && typeof now === 'object' ? { ...old, ...now } : undefined;
  };
  return setOrRemoveMembers(before, {
    ...fix,
    arguments: mergeMember('arguments') ?? fix['arguments'],
    annotations: mergeMember('annotations') ?? fix['annotations'],
  });
}
