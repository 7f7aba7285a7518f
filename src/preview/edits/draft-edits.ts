/** Turns edits of the page into a new text of `mcpgen.config.json`. Nothing is written here. */
import { isDeepStrictEqual } from 'node:util';
import { basename } from 'node:path';

import type { Json } from '../../util/json-schema.ts';
import { ownMember } from '../../../templates/runtime/json-rpc.ts';
import type { ReadServer } from '../../config/load/read-config.ts';
import type { Path } from '../../config/options/shape.ts';
import { isDocument } from '../../config/options/sources.ts';
import { isSelector } from '../../config/options/tool-rules.ts';
import { ConfiguredTools } from '../../derive/index.ts';
import { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { DEFAULT_FEATURES, FEATURE_NAMES } from '../../model/features.ts';
import { type Setting, editConfig } from '../../project/edit-config.ts';
import { Refusal } from '../problem.ts';
import type { Edit, ToolEdit } from '../protocol.ts';
import type { PreviewSource } from '../source.ts';
import { selectableKey, sourceKind } from '../views/surface-view.ts';
import type { CompiledServer } from '../workspace.ts';

export interface DraftedFile {
  /** The absolute path of the file. */
  path: string;
  name: string;
  before: string;
  after: string;
}

/** The configuration with the edits; `undefined` if they change nothing. @throws {Refusal} */
export async function draftEdits(
  edits: readonly Edit[],
  compiled: CompiledServer,
  source: PreviewSource,
): Promise<DraftedFile | undefined> {
  if (source.readConfig === undefined)
    throw new Refusal(
      409,
      'Changes are written to the mcpgen.config.json of a project, and this source has none.',
      'Make one with `mcpgen init <source>`, and preview its folder.',
    );
  const diagnostics = new DiagnosticCollector();
  const read = await source.readConfig(compiled.isNamed ? compiled.name : undefined, diagnostics);
  const settings = read && edits.flatMap((edit) => settingsOfEdit(edit, compiled, read));
  const run = { cwd: source.cwd, diagnostics };
  const edited = read && settings && editConfig(read, settings, 'mcpgen generate', run);
  if (edited === undefined) {
    const [{ message = '', hint } = {}] = diagnostics.found;
    throw new Refusal(409, message, hint);
  }
  const { path, text: after } = edited;
  return after === read?.text ? undefined : { path, name: basename(path), before: read?.text ?? '', after };
}

function settingsOfEdit(edit: Edit, compiled: CompiledServer, read: ReadServer): Setting[] {
  switch (edit.kind) {
    case 'tool':
      return toolSettings(edit.name, edit.set, compiled, read);
    case 'selection':
      return selectionSettings(edit, compiled, read);
    case 'surface':
      return [{ member: 'surface', value: edit.surface }];
    case 'features':
      return [{ member: 'features', value: chooseFeatures(edit.features, compiled) }];
    case 'fix':
      return fixSettings(edit.tools, compiled, read);
    default:
      throw new Refusal(400, 'This is no edit.');
  }
}

/** One selection for documents that have different ones would serve what one of them leaves out. */
function selectionSettings(
  { include, exclude }: Extract<Edit, { kind: 'selection' }>,
  compiled: CompiledServer,
  { config: { sources = [] } }: ReadServer,
): Setting[] {
  if (sourceKind(compiled) === 'typescript')
    throw new Refusal(400, 'Functions are not selected by tags or methods. Exclude single tools instead.');
  const documents = [...sources.entries()].flatMap(([at, source]) =>
    isDocument(source) ? [{ at, include: source.include ?? [], exclude: source.exclude ?? [] }] : [],
  );
  const [first, ...others] = documents;
  if (others.some((other) => !isDeepStrictEqual({ ...other, at: 0 }, { ...first, at: 0 })))
    throw new Refusal(
      400,
      'The documents have selections of their own, which one for all of them would replace.',
      'Change the selection in the configuration, or exclude single tools.',
    );
  const places = documents.length === 0 ? [0] : documents.map(({ at }) => at);
  return places.flatMap((source) =>
    Object.entries({ include, exclude }).flatMap(([member, value]) =>
      value === undefined ? [] : [{ member, value, source }],
    ),
  );
}

function chooseFeatures(switches: Record<string, boolean>, { options }: CompiledServer): string[] {
  const unknown = Object.keys(switches).find((name) => !FEATURE_NAMES.includes(name));
  if (unknown !== undefined) throw new Refusal(400, `There is no feature ${JSON.stringify(unknown)}.`);
  const now = options?.features ?? DEFAULT_FEATURES;
  return FEATURE_NAMES.filter((name) => switches[name] ?? now.includes(name));
}

/** A value of `null` takes an earlier edit back. */
function toolSettings(
  name: string,
  { exclude, hints, arguments: args = {}, ...words }: ToolEdit,
  compiled: CompiledServer,
  read: ReadServer,
): Setting[] {
  if (exclude === false) return takeExclusionsBack(name, compiled, read);
  const key = findOriginalName(name, compiled);
  const makeSetting = (within: Path, value: Json | undefined | null): Setting[] =>
    value === undefined
      ? []
      : [{ member: 'tools', within: [key, ...within], value: value === null ? undefined : value }];
  return [
    ...Object.entries(words).flatMap(([member, value]) => makeSetting([member], value as Json | undefined)),
    ...makeSetting(['exclude'], exclude),
    ...(hints === null
      ? makeSetting(['hints'], null)
      : Object.entries(hints ?? {}).flatMap(([hint, value]) => makeSetting(['hints', hint], value))),
    ...Object.entries(args).flatMap(([argument, edit]) => [
      ...makeSetting(['arguments', argument, 'description'], edit.description),
      ...makeSetting(['arguments', argument, 'hide'], edit.hidden === false ? null : edit.hidden),
    ]),
  ];
}

/** An excluded tool is named by its operation. */
function takeExclusionsBack(
  name: string,
  { report: { model } }: CompiledServer,
  { config: { tools = {} } }: ReadServer,
): Setting[] {
  const operation = model?.deselected?.find((one) => selectableKey(one) === name);
  const configured = new ConfiguredTools({ tools });
  const keys = operation === undefined ? [] : configured.keysOf(operation);
  const excluding = keys.filter((key) => ownMember(tools, key)?.exclude === true);
  const selector = excluding.find(isSelector);
  if (excluding.length === 0 || selector !== undefined)
    throw new Refusal(
      400,
      `${name} is left out by ${selector === undefined ? 'its source or by the selection' : `\`tools[${JSON.stringify(selector)}]\``}.`,
      'Change `tools`, `include`, `exclude` or the route map, or `x-mcp` of the operation.',
    );
  return excluding.map((key) => ({ member: 'tools', within: [key, 'exclude'], value: undefined }));
}

/** The name in the lock, which keys have. */
function findOriginalName(name: string, { report: { model, derived } }: CompiledServer): string {
  const tool = model?.tools.find((listed) => listed.name === name);
  if (tool === undefined) throw new Refusal(404, `There is no tool ${JSON.stringify(name)}.`);
  const original = derived?.tools.find((before) => isDeepStrictEqual(before.origin, tool.origin));
  return original?.name ?? name;
}

function fixSettings(
  names: readonly string[] | undefined,
  compiled: CompiledServer,
  read: ReadServer,
): Setting[] {
  const { fixes = [], model } = compiled.report;
  const chosen = model?.tools.filter(({ name }) => names?.includes(name) ?? true) ?? [];
  const settings = fixes
    .flatMap((fix) => fix.updates)
    .flatMap(({ pointer, update }) => {
      const tool = chosen.find(({ origin }) => origin.kind === 'document' && origin.pointer === pointer);
      return tool === undefined ? [] : toolSettings(tool.name, update['x-mcp'] as ToolEdit, compiled, read);
    });
  if (settings.length === 0 || (compiled.report.parts ?? []).length !== 1)
    throw new Refusal(400, 'Nothing of this can be fixed with words of the source alone.');
  return settings;
}
