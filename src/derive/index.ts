/** SourceModel → ServerModel: every decision about what clients will see, one pass per decision. */
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { assertModel } from '../model/assert-model.ts';
import type { ServerModel } from '../model/server-model.ts';
import type { SourceModel } from '../model/source-model.ts';
import { chooseBodies } from './body-choice.ts';
import { deriveMock } from './mock.ts';
import { deriveToolNames } from './names.ts';
import type { DeriveContext } from './operation.ts';
import { deriveOperations } from './operations.ts';
import { type DeriveOptions, settingsOf } from './options.ts';
import { OutputSchemas } from './output-schema.ts';
import { deriveFunctions } from './functions.ts';
import { derivePrompts } from './prompts.ts';
import { schemeOf } from './resource-uri.ts';
import { schemaViews } from './schema-views.ts';
import { selectOperations } from './selection.ts';
import { deriveServerInfo } from './server-info.ts';
import { reportToolCount } from './surface.ts';
import { reportTakenNames } from './taken-names.ts';
import { deriveUpstream } from './upstream.ts';

export type { DeriveOptions, NameLock, OutputSchemaMode, RouteRule } from './options.ts';

/**
 * What the server will be. Problems of the source go to `diagnostics`; after an error there the model is not
 * worth writing. Throws `ModelError` for a bug of ours.
 */
export function deriveServer(
  source: SourceModel,
  options: DeriveOptions,
  diagnostics: DiagnosticCollector,
): ServerModel {
  const settings = settingsOf(options);
  const info = deriveServerInfo(source, options, diagnostics);
  const names = deriveToolNames(source, settings);
  const selected = selectOperations(source, options, names.nameOf, diagnostics);
  const served = selected.map(({ operation }) => operation);
  names.report(served, diagnostics);
  const views = schemaViews(source.schemas, settings.outputSchema);
  const outputs = new OutputSchemas(views.output, settings);
  const bodyMediaOf = chooseBodies(
    options.bodyMediaType ?? [],
    source.xMcp?.bodyMediaType,
    served,
    names.nameOf,
    diagnostics,
  );
  const context: DeriveContext = {
    source,
    settings,
    nameOf: names.nameOf,
    bodyMediaOf,
    views,
    outputs,
    diagnostics,
  };
  const surface = deriveOperations(selected, schemeOf(info.name), context);
  const prompts = derivePrompts(source, settings.maxNameLength, diagnostics);
  const functions = deriveFunctions(source, settings, diagnostics);
  const tools = [...surface.tools, ...functions.tools];
  reportToolCount(tools.length, source, diagnostics);
  const { codecs = {} } = source;
  const model: ServerModel = {
    format: 1,
    ...info,
    tools,
    resources: [...surface.resources, ...functions.resources],
    resourceTemplates: [...surface.resourceTemplates, ...functions.resourceTemplates],
    prompts: [...prompts.prompts, ...functions.prompts],
    completions: [...surface.completions, ...prompts.completions, ...functions.completions],
    ...(Object.keys(codecs).length === 0 ? {} : { codecs }),
    ...deriveUpstream(source, served, options.baseUrl, diagnostics),
    ...(served.length === 0 ? {} : { mock: deriveMock(served, views.output) }),
  };
  reportTakenNames(model, diagnostics);
  if (!diagnostics.hasErrors) assertModel(model);
  return model;
}
