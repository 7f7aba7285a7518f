/** Converts a SourceModel to a ServerModel. All decisions about what clients see are made here, one pass for each. */
import { reportLongNames } from './names/joint-length.ts';
import { reportToolsWithoutArguments } from './arguments/possible-arguments.ts';
import { sourceNameOfApi } from '../model/bindings.ts';
import type { SourceOptions } from '../config/options/sources.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { assertModel } from '../model/assert-model.ts';
import type { ServerModel } from '../model/server-model.ts';
import type { SourceModel } from '../model/source-model.ts';
import { deriveFunctions } from './functions/index.ts';
import {
  type ServerSurface,
  keepReadOnlyTools,
  keepToolsAndResources,
  mergeSurfaces,
  nameApiInBindings,
} from './merge-surfaces.ts';
import { deriveMock } from './mock.ts';
import { deriveApiNames, deriveApiName, isFromDocument } from './names/api-names.ts';
import { splitNameLock } from './names/name-locks.ts';
import { reportDuplicateNames } from './names/taken-names.ts';
import { deriveToolNames } from './names/tool-names.ts';
import { reportVariableClashes } from './names/variable-clashes.ts';
import { type DeriveContext, deriveOperations, bindUnlistedOperations } from './operations.ts';
import { takesConditions } from './http-binding.ts';
import { type DeriveOptions, deriveSettings } from './options.ts';
import { derivePrompts } from './prompts.ts';
import { deriveUriScheme } from './resources.ts';
import { markPinnedTools, reportReservedNames, reportLargeList, decideSurface } from './search-surface.ts';
import {
  MOST_TOOLS_WITH_OUTPUT,
  decidesOutputsBySize,
  dropCostlyOutputs,
  applyLockedOutputs,
} from './schema/output-default.ts';
import { OutputSchemas } from './schema/output-schema.ts';
import { reportTooManyCopies, schemaViews } from './schema/schema-views.ts';
import { ConfiguredTools } from './tool-rules.ts';
import { deriveEnvironmentKeys, addHeaderSchemes } from './security/environment-keys.ts';
import { reportUnsafeCredentialTargets } from './security/credential-places.ts';
import { SelectorUses, listDeselected, selectOperations } from './selection.ts';
import { deriveInfoOfSources } from './server-info.ts';
import { cleanModelAndReport } from './text/clean-model.ts';
import {
  type ApiName,
  mapArgumentVariables,
  deriveUpstream,
  replaceServers,
  resolveSchemeUrls,
} from './upstream.ts';
import { omitUndefined } from '../util/collections.ts';
import { collectWorkflowCalls, isCalled } from './workflows/calls.ts';

export { resolveAuthRules, mapScopesOfModel } from './security/auth-rules.ts';
export { cleanHookedModel } from './text/clean-model.ts';
export { addHeaderSchemes } from './security/environment-keys.ts';
export { describeOperation } from './text/tool-text.ts';
export { listNeeds } from './text/tool-facts.ts';
export { maximumNameLength, reportClientProblems } from './clients/fit-clients.ts';
export { ConfiguredTools, renameTools } from './tool-rules.ts';
export { addWorkflows } from './workflows/index.ts';
export { reportAuthProblems, reportUnenforcedScopes } from './security/auth-rules.ts';
export type { ConfigurationPlace, DeriveOptions, LockedName, NameLock } from './options.ts';

export interface SourcePart {
  source: SourceModel;
  options?: SourceOptions;
}

/**
 * Derives a server of its sources; the first decides what concerns the server as a whole. Problems of the sources are reported to
 * `diagnostics`; after an error the model must not be written. Throws `ModelError` for a bug in mcpgen.
 */
export function deriveServer(
  sourceParts: readonly SourcePart[],
  asked: DeriveOptions,
  diagnostics: DiagnosticCollector,
): ServerModel {
  const options = applyLockedOutputs(asked);
  const parts = sourceParts.map((part) => ({ ...part, source: addHeaderSchemes(part.source) }));
  const info = deriveInfoOfSources(parts, options, diagnostics);
  const apis = deriveApiNames(parts, diagnostics);
  const commonWords = new Set(parts.flatMap(({ source }) => source.codeWords ?? []));
  const workflowCalls = collectWorkflowCalls(parts.map(({ source }) => source));
  const locks = splitNameLock(parts, options.nameLock, apis);
  const surfaces: { source: SourceModel; surface: ServerSurface }[] = [];
  const documents = parts.filter(({ source }) => isFromDocument(source));
  const uses = new SelectorUses();
  const tools = new ConfiguredTools(options, diagnostics);
  for (const part of parts) {
    const api = apis.get(part);
    const isIdle = documents.length > 0 && !documents.includes(part);
    const nameLock = locks.get(part) ?? options.nameLock ?? {};
    const partOptions = { ...options, ...part.options, ...(isIdle && NO_SELECTORS), nameLock };
    const surface = deriveSurface(
      part.source,
      partOptions,
      {
        server: info.name,
        api,
        source: sourceNameOfApi(api?.name ?? deriveApiName(part)),
        commonWords,
        workflowCalls,
        uses,
        tools,
      },
      diagnostics,
    );
    surfaces.push({
      source: part.source,
      surface: api === undefined ? surface : nameApiInBindings(surface, api.name),
    });
  }
  uses.report(documents[0]?.source.origin, diagnostics);
  tools.reportUnused();
  const merged = mergeSurfaces(surfaces.map(({ surface }) => surface));
  const served = options.readOnly === true ? keepReadOnlyTools(merged, diagnostics) : merged;
  const { readOnly, confirm } = options;
  const guards = omitUndefined({ readOnly: readOnly || undefined, confirm });
  const skills = omitUndefined({
    skills: parts.find(({ source }) => source.skills !== undefined)?.source.skills,
  });
  const all: ServerModel = { format: 1, ...info, ...served, ...skills, ...guards };
  const listed = dropCostlyOutputs(all, asked, sourceParts[0]?.source.origin, diagnostics);
  const model = decideSurface(cleanModelAndReport(listed, diagnostics), options, diagnostics);
  reportLargeList(
    model,
    parts.map(({ source }) => source),
    options.budget,
    diagnostics,
  );
  reportLongNames(model, options.maxNameLength, sourceParts[0]?.source.origin, diagnostics);
  reportReservedNames(model, diagnostics);
  reportToolsWithoutArguments(model.tools, diagnostics);
  reportDuplicateNames(model, diagnostics);
  reportVariableClashes(surfaces, diagnostics);
  reportUnsafeCredentialTargets(surfaces, diagnostics);
  if (!diagnostics.hasErrors) assertModel(model);
  return model;
}

/** Selectors name operations, which functions beside documents don't have. */
const NO_SELECTORS = { include: [], exclude: [], pin: [] };

interface SurfaceNames {
  server: string;
  api: ApiName | undefined;
  source: string;
  commonWords: ReadonlySet<string>;
  workflowCalls: ReadonlySet<string>;
  uses: SelectorUses;
  tools: ConfiguredTools;
}

function deriveSurface(
  rawSource: SourceModel,
  options: DeriveOptions,
  names: SurfaceNames,
  diagnostics: DiagnosticCollector,
): ServerSurface {
  const reading = resolveSchemeUrls(replaceServers(rawSource, options.baseUrl), diagnostics);
  const source = { ...reading, capabilities: reading.capabilities.map((each) => ({ ...each })) };
  const settings = deriveSettings(options, names.server, names.tools);
  const tools = deriveToolNames(source, settings);
  names.tools.changeOperations(source, tools.nameOf);
  const selected = selectOperations(source, options, tools.nameOf, names.uses, diagnostics);
  const served = selected.map(({ operation }) => operation);
  tools.report(served, diagnostics);
  if (decidesOutputsBySize(options) && selected.length > MOST_TOOLS_WITH_OUTPUT)
    settings.outputSchema = 'off';
  const views = schemaViews(source.schemas, settings.outputSchema);
  const outputs = new OutputSchemas(views.output, settings, views.partial);
  const keys = deriveEnvironmentKeys(source, served, options, diagnostics);
  const context: DeriveContext = {
    keys,
    source,
    settings,
    nameOf: tools.nameOf,
    views,
    outputs,
    hasConditions: served.some(takesConditions),
    diagnostics,
  };
  const surface = deriveOperations(selected, deriveUriScheme(names.server, settings.prefix), context);
  const pins = { selectors: options.pin ?? [], nameOf: tools.nameOf, uses: names.uses };
  markPinnedTools(surface.tools, served, { ...pins, diagnostics });
  const listed = new Set(surface.tools.map(({ name }) => name));
  const unlisted = source.capabilities
    .filter((capability) => capability.kind === 'operation')
    .filter(
      (operation) =>
        !listed.has(tools.nameOf(operation)) &&
        (names.commonWords.has(operation.operationId ?? '') || isCalled(operation, names.workflowCalls)),
    );
  const called = [...new Set([...served, ...unlisted])];
  reportTooManyCopies(views, source, diagnostics);
  const prompts = derivePrompts(source, settings, diagnostics);
  const functions = deriveFunctions(source, settings, diagnostics);
  const deselected = listDeselected(source, selected, tools.nameOf);
  const { codecs = {} } = source;
  const api = deriveUpstream(source, called, { ...options, keys }, diagnostics, names.api);
  const unlistedBindings = bindUnlistedOperations(unlisted, context);
  const variables = mapArgumentVariables(surface, Object.values(unlistedBindings));
  if (api.upstream && variables) api.upstream.argumentVariables = variables;
  const all: ServerSurface = {
    tools: [...surface.tools, ...functions.tools],
    resources: [...surface.resources, ...functions.resources],
    resourceTemplates: [...surface.resourceTemplates, ...functions.resourceTemplates],
    prompts: [...prompts.prompts, ...functions.prompts],
    completions: [...surface.completions, ...prompts.completions, ...functions.completions],
    ...(Object.keys(codecs).length === 0 ? {} : { codecs }),
    ...(functions.started.length === 0 ? {} : { started: functions.started }),
    ...(deselected.length === 0 ? {} : { deselected }),
    ...((names.commonWords.size > 0 || unlisted.length > 0) &&
      isFromDocument(source) && { operations: { [names.source]: unlistedBindings } }),
    ...api,
    ...(called.length === 0 ? {} : { mock: deriveMock(called, views.output) }),
  };
  const excluded = functions.tools.filter((tool) => names.tools.rulesOf(tool).exclude === true);
  return excluded.length === 0 ? all : keepToolsAndResources(all, (tool) => !excluded.includes(tool));
}
