/** Converts a SourceModel to a ServerModel. All decisions about what clients see are made here, one pass for each. */
import { sourceName } from '../../templates/runtime/contract/bindings.ts';
import type { SourceOptions } from '../config/options/sources.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { ParametersOf } from '../diagnostics/registry.ts';
import { assertModel } from '../model/assert-model.ts';
import type { ServerModel } from '../model/server-model.ts';
import type { Operation, SourceModel } from '../model/source-model.ts';
import { chooseBodies } from './body/body-choice.ts';
import { deriveFunctions } from './functions/index.ts';
import { type ServerSurface, mergeSurfaces, withApi } from './merge-surfaces.ts';
import { deriveMock } from './mock.ts';
import { suggest } from '../../templates/runtime/contract/feature.ts';
import { apiNames, deriveApiName, isFromDocument } from './names/api-names.ts';
import { nameLocks } from './names/name-locks.ts';
import { reportTakenNames } from './names/taken-names.ts';
import { deriveToolNames } from './names/tool-names.ts';
import { reportVariableClashes } from './names/variable-clashes.ts';
import { type DeriveContext, deriveOperations, deriveUnlisted } from './operations.ts';
import { type DeriveOptions, deriveSettings } from './options.ts';
import { derivePrompts } from './prompts.ts';
import { deriveUriScheme } from './resources.ts';
import { cutChains } from './schema/cut-chains.ts';
import { OutputSchemas } from './schema/output-schema.ts';
import { reportCopies, schemaViews } from './schema/schema-views.ts';
import { deriveEnvironmentKeys, withHeaderSchemes } from './security/environment-keys.ts';
import { reportCredentialPlaces } from './security/credential-places.ts';
import { listDeselected, selectOperations } from './selection.ts';
import { deriveInfo } from './server-info.ts';
import { cleanAndReport } from './text/clean-model.ts';
import { type ApiName, argumentVariables, deriveUpstream } from './upstream.ts';

export { authRules, mapScopes } from './security/auth-rules.ts';
export { cleanHookedModel } from './text/clean-model.ts';
export { fitClients, nameRoom } from './clients/fit-clients.ts';
export { toolWords } from './text/tool-text.ts';
export { checkAuth, checkUnasked } from './security/auth-rules.ts';
export type { DeriveOptions, LockedName, NameLock } from './options.ts';

export interface SourcePart {
  source: SourceModel;
  options?: SourceOptions;
}

/**
 * Derives the server. Problems of the source are reported to `diagnostics`; after an error the model must not be
 * written. Throws `ModelError` for a bug in mcpgen.
 */
export function deriveServer(
  source: SourceModel,
  options: DeriveOptions,
  diagnostics: DiagnosticCollector,
): ServerModel {
  return deriveServers([{ source }], options, diagnostics);
}

/** Derives a server of several sources; the first decides what concerns the server as a whole. */
export function deriveServers(
  given: readonly SourcePart[],
  options: DeriveOptions,
  diagnostics: DiagnosticCollector,
): ServerModel {
  const parts = given.map((part) => ({ ...part, source: withHeaderSchemes(part.source) }));
  const info = deriveInfo(parts, options, diagnostics);
  const apis = apiNames(parts, diagnostics);
  const words = new Set(parts.flatMap(({ source }) => source.words ?? []));
  const locks = nameLocks(parts, options.nameLock, apis);
  const surfaces = parts.map((part) => {
    const api = apis.get(part);
    const own = { ...options, ...part.options, nameLock: locks.get(part) ?? {} };
    const surface = deriveSurface(
      part.source,
      own,
      { server: info.name, api, source: sourceName(api?.name ?? deriveApiName(part)), words },
      diagnostics,
    );
    return { source: part.source, surface: api === undefined ? surface : withApi(surface, api.name) };
  });
  const merged = mergeSurfaces(surfaces.map(({ surface }) => surface));
  const model = cleanAndReport({ format: 1, ...info, ...merged }, diagnostics);
  reportToolCount(
    model.tools.length,
    parts.map(({ source }) => source),
    diagnostics,
  );
  reportTakenNames(model, diagnostics);
  reportVariableClashes(surfaces, diagnostics);
  reportCredentialPlaces(surfaces, diagnostics);
  if (!diagnostics.hasErrors) assertModel(model);
  return model;
}

function deriveSurface(
  given: SourceModel,
  options: DeriveOptions,
  names: { server: string; api: ApiName | undefined; source: string; words: ReadonlySet<string> },
  diagnostics: DiagnosticCollector,
): ServerSurface {
  const source = cutChains(given, diagnostics);
  const settings = deriveSettings(options);
  const tools = deriveToolNames(source, settings);
  const selected = selectOperations(source, options, tools.nameOf, diagnostics);
  const served = selected.map(({ operation }) => operation);
  tools.report(served, diagnostics);
  const views = schemaViews(source.schemas, settings.outputSchema);
  const outputs = new OutputSchemas(views.output, settings);
  const bodyMediaOf = chooseBodies(
    options.bodyMediaType ?? [],
    source.xMcp?.bodyMediaType,
    served,
    tools.nameOf,
    diagnostics,
  );
  const keys = deriveEnvironmentKeys(source, served, options, diagnostics);
  const context: DeriveContext = {
    keys,
    source,
    settings,
    nameOf: tools.nameOf,
    bodyMediaOf,
    views,
    outputs,
    diagnostics,
  };
  const surface = deriveOperations(selected, deriveUriScheme(names.server, settings.prefix), context);
  const listed = new Set(surface.tools.map(({ name }) => name));
  const unlisted = source.capabilities.filter(
    (each) =>
      each.kind === 'operation' && names.words.has(each.operationId ?? '') && !listed.has(tools.nameOf(each)),
  ) as Operation[];
  const called = [...new Set([...served, ...unlisted])];
  reportCopies(views, source, diagnostics);
  const prompts = derivePrompts(source, settings, diagnostics);
  const functions = deriveFunctions(source, settings, diagnostics);
  const deselected = listDeselected(source, selected, tools.nameOf);
  const { codecs = {} } = source;
  reportUnknownTools(settings.tools, served.map(tools.nameOf), source, diagnostics);
  const api = deriveUpstream(source, called, { ...options, keys }, diagnostics, names.api);
  const variables = argumentVariables(surface);
  if (api.upstream && variables) api.upstream.argumentVariables = variables;
  return {
    tools: [...surface.tools, ...functions.tools],
    resources: [...surface.resources, ...functions.resources],
    resourceTemplates: [...surface.resourceTemplates, ...functions.resourceTemplates],
    prompts: [...prompts.prompts, ...functions.prompts],
    completions: [...surface.completions, ...prompts.completions, ...functions.completions],
    ...(Object.keys(codecs).length === 0 ? {} : { codecs }),
    ...(functions.started.length === 0 ? {} : { started: functions.started }),
    ...(deselected.length === 0 ? {} : { deselected }),
    ...(names.words.size > 0 &&
      isFromDocument(source) && { operations: { [names.source]: deriveUnlisted(unlisted, context) } }),
    ...api,
    ...(called.length === 0 ? {} : { mock: deriveMock(called, views.output) }),
  };
}

function reportUnknownTools(
  rules: Record<string, unknown>,
  known: readonly string[],
  { origin }: SourceModel,
  diagnostics: DiagnosticCollector,
): void {
  for (const name of Object.keys(rules)) {
    if (known.includes(name)) continue;
    const what = `The configuration has rules for \`${name}\`, but there is no such tool`;
    diagnostics.report(
      'rule-without-effect',
      { what, suggestion: suggest(name, known) ?? '' },
      { at: origin },
    );
  }
}

const manyTools = 40;
const tooManyTools = 128;

/** Warns of too many tools: clients cap them, and models choose worse. */
function reportToolCount(
  tools: number,
  sources: readonly SourceModel[],
  diagnostics: DiagnosticCollector,
): void {
  const [first] = sources;
  if (first === undefined || tools <= manyTools) return;
  const [name, limit] =
    tools > tooManyTools ? (['too-many-tools', tooManyTools] as const) : (['many-tools', manyTools] as const);
  diagnostics.report(name, { tools, limit, of: findKinds(sources) }, { at: first.origin });
}

function findKinds(sources: readonly SourceModel[]): ParametersOf<'many-tools'>['of'] {
  const ofFunctions = sources.filter(({ capabilities }) =>
    capabilities.some(({ kind }) => kind === 'function-tool'),
  );
  if (ofFunctions.length === 0) return 'documents';
  return ofFunctions.length === sources.length ? 'functions' : 'both';
}
