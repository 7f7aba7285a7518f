import { FEATURES } from '../../model/feature-table.ts';
import { type Selectable, listApis } from '../../model/bindings.ts';
import { resolveAuthRules } from '../../derive/index.ts';
import { type ListingCost, listingCost } from '../../derive/listing-cost.ts';
import { chooseFeatures } from '../../emit/index.ts';
import { isDocument } from '../../config/options/sources.ts';
import { REQUESTS, mapCredentialOrigins, listHttpBindingsOfModel } from '../../model/credential-origins.ts';
import type { ServerModel } from '../../model/server-model.ts';
import { omitUndefined } from '../../util/collections.ts';
import type { SurfaceSettings, SurfaceView, ToolRow } from '../protocol.ts';
import type { PreviewOptions, PreviewSource } from '../source.ts';
import type { CompiledServer } from '../workspace.ts';
import { listClientFits } from './client-fits.ts';
import { summarizeDiagnostics } from './findings-view.ts';
import { makeToolRows } from './tool-rows.ts';

export function makeSurfaceView(
  compiled: CompiledServer,
  { folder, config }: PreviewSource,
): Omit<SurfaceView, 'applied'> {
  const { generation, names, report } = compiled;
  const { model } = report;
  const tools = makeToolRows(compiled);
  return {
    generation,
    servers: names,
    server: {
      name: model?.name ?? compiled.name,
      title: model?.title ?? '',
      version: model?.version ?? '',
      ...omitUndefined({ instructions: model?.instructions }),
    },
    source: { kind: sourceKind(compiled), files: listSourceFiles(compiled) },
    project: config === undefined ? {} : { folder, config },
    compiled: model !== undefined,
    settings: surfaceSettings(compiled, tools),
    tools,
    ...listPromptsAndResources(model),
    tokens: countTokens(model, report.cost),
    clients: model === undefined ? [] : listClientFits(model),
    origins: model === undefined ? [] : listRequestOrigins(model),
    ...summarizeDiagnostics(compiled),
  };
}

/** Calls reach the first server of each API. */
function listRequestOrigins(model: ServerModel): string[] {
  const all = mapCredentialOrigins(listApis(model), listHttpBindingsOfModel(model), ([first]) =>
    first === undefined ? [] : [first],
  );
  return all[REQUESTS] ?? [];
}

export function sourceKind({
  report: { parts = [] },
  options,
}: CompiledServer): SurfaceView['source']['kind'] {
  const kinds = new Set(parts.map(({ source }) => source.origin.kind));
  if (kinds.size > 1) return 'mixed';
  const [kind = options?.typescript === undefined ? 'document' : 'code'] = kinds;
  return kind === 'code' ? 'typescript' : 'openapi';
}

function listSourceFiles({ report: { parts = [] }, options }: CompiledServer): string[] {
  if (parts.length === 0) return options === undefined ? [] : [options.source];
  const files = parts.flatMap(({ source: { origin, capabilities } }) =>
    origin.kind === 'document' ? [origin.file] : capabilities.map((capability) => capability.origin.file),
  );
  return [...new Set(files)];
}

function listPromptsAndResources(model: ServerModel | undefined): Pick<SurfaceView, 'prompts' | 'resources'> {
  const { prompts = [], resources = [], resourceTemplates = [] } = model ?? {};
  return {
    prompts: prompts.map(({ name, title, description, arguments: args = [] }) => ({
      name,
      ...omitUndefined({ title, description }),
      arguments: args.map((argument) => argument.name),
    })),
    resources: [
      ...resources.map(({ uri, name, description }) => ({
        uri,
        name,
        isTemplate: false,
        ...omitUndefined({ description }),
      })),
      ...resourceTemplates.map(({ uriTemplate: uri, name, description }) => ({
        ...{ uri, name, isTemplate: true },
        ...omitUndefined({ description }),
      })),
    ],
  };
}

/** `cost` is what the report has measured. */
export function countTokens(model: ServerModel | undefined, cost?: ListingCost): SurfaceView['tokens'] {
  if (model === undefined) return { listed: 0, all: 0 };
  const { tokens: listed, all } = cost ?? listingCost(model);
  return { listed, all: all?.tokens ?? listed };
}

function surfaceSettings({ options, report }: CompiledServer, tools: readonly ToolRow[]): SurfaceSettings {
  const { model } = report;
  const { include = [], exclude = [], surface = 'tools' } = { ...options, ...documentFilters(options) };
  return {
    ...{ include, exclude, surface },
    features: model === undefined || options === undefined ? [] : makeFeatureRows(model, options, report.app),
    tags: makeTagRows(tools),
    deselected: (model?.deselected ?? []).map((operation) => ({
      key: selectableKey(operation),
      tags: [...operation.tag],
    })),
  };
}

/** The options of the documents, which may be those of their entries in `sources`. */
function documentFilters(options: PreviewOptions | undefined): Pick<PreviewOptions, 'include' | 'exclude'> {
  const [first] = options?.sources?.filter(isDocument) ?? [];
  const { include = options?.include, exclude = options?.exclude } = first ?? {};
  return omitUndefined({ include, exclude });
}

export function selectableKey({ op, path, method }: Selectable): string {
  const [verb, place] = [method[0], path[0]];
  return verb === undefined || place === undefined ? (op[0] ?? '') : `${verb} ${place}`;
}

function makeFeatureRows(
  model: ServerModel,
  options: PreviewOptions,
  loadApp: CompiledServer['report']['app'],
): SurfaceSettings['features'] {
  const app = loadApp?.();
  const auth = resolveAuthRules(options.auth);
  const { publish, features } = options;
  const common = omitUndefined({ app, auth, publish });
  const needed = new Set(chooseFeatures(model, { ...common, features: [] }).map(({ name }) => name));
  const chosen = new Set(
    chooseFeatures(model, { ...common, ...omitUndefined({ features }) }).map(({ name }) => name),
  );
  return FEATURES.filter(({ addedBy }) => addedBy === undefined).map(({ name, about }) => ({
    name,
    title: about,
    isOn: chosen.has(name),
    isNeeded: needed.has(name),
  }));
}

function makeTagRows(tools: readonly ToolRow[]): SurfaceSettings['tags'] {
  const groups = new Map<string, { name: string; tools: number; tokens: number }>();
  for (const { tags, tokens } of tools)
    for (const name of tags) {
      const row = groups.get(name) ?? { name, tools: 0, tokens: 0 };
      groups.set(name, { name, tools: row.tools + 1, tokens: row.tokens + tokens.total });
    }
  return [...groups.values()];
}
