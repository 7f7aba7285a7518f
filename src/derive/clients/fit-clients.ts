/**
 * The last stage of derivation, `for`: rewrites what clients refuse, where the same values stay valid, and reports the rest.
 * Names are derived shorter instead, so that locks and references have them from the start.
 */
import type { ObjectSchema } from '../../../templates/runtime/contract/json-schema.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { type ClientName, type ClientProfile, CLIENT_PROFILES } from '../../model/client-profiles.ts';
import { findNameProblem, countCharactersForName, findSchemaProblem } from '../../model/client-rules.ts';
import { countListed } from '../listing-cost.ts';
import type { ServerModel, Tool } from '../../model/server-model.ts';
import { inlineReferences } from './inline-references.ts';
import { splitTypes } from './split-types.ts';
import { toStrictShape } from './strict-shape.ts';

/** Returns the most characters of a tool's name that all clients take. */
export function maximumNameLength(server: string, clients: readonly ClientName[]): number {
  return Math.min(...clients.map((name) => countCharactersForName(server, CLIENT_PROFILES[name])));
}

export function fitModelToClients(
  model: ServerModel,
  clients: readonly ClientName[],
  diagnostics: DiagnosticCollector,
): ServerModel {
  if (clients.length === 0) return model;
  const profiles = clients.map((name) => CLIENT_PROFILES[name]);
  const tools = model.tools.map((tool) => fitToolToProfiles(tool, profiles));
  for (const profile of profiles) {
    reportTooManyTools(countListed(model), profile, diagnostics);
    for (const tool of tools) reportUnfitTool(tool, model.name, profile, diagnostics);
  }
  return { ...model, tools };
}

function fitToolToProfiles(tool: Tool, profiles: readonly ClientProfile[]): Tool {
  const inputSchema = fitSchemaToProfiles(tool.inputSchema, profiles);
  if (!profiles.some(({ schema }) => schema?.strict === true)) return { ...tool, inputSchema };
  const strict = toStrictShape(inputSchema);
  if (typeof strict !== 'object') return { ...tool, inputSchema };
  const isOneType = profiles.some(({ schema }) => schema?.oneType === true);
  return { ...tool, inputSchema, strictInput: isOneType ? splitTypes(strict) : strict };
}

function fitSchemaToProfiles(schema: ObjectSchema, profiles: readonly ClientProfile[]): ObjectSchema {
  const inlined = profiles.some((profile) => profile.schema?.noRef === true)
    ? inlineReferences(schema)
    : schema;
  return profiles.some((profile) => profile.schema?.oneType === true) ? splitTypes(inlined) : inlined;
}

function reportTooManyTools(
  tools: number,
  { title, mostTools = Infinity }: ClientProfile,
  diagnostics: DiagnosticCollector,
): void {
  if (tools > mostTools)
    diagnostics.report('client-takes-fewer-tools', { client: title, tools, limit: mostTools });
}

/** Arrays without `items` and keywords beside references are rewritten for every client when schemas are listed. */
function reportUnfitTool(
  { name, inputSchema, strictInput, origin }: Tool,
  server: string,
  profile: ClientProfile,
  diagnostics: DiagnosticCollector,
): void {
  const reportNotFitted = (what: string, rule: string): void => {
    const parameters = { client: profile.title, tool: name, what, rule };
    diagnostics.report('client-not-fitted', parameters, { at: origin });
  };
  const problem = findNameProblem(name, server, profile);
  if (problem !== undefined) reportNotFitted('the name', problem);
  for (const key of Object.keys(inputSchema.properties ?? {}))
    if (profile.argumentNames?.test(key) === false)
      reportNotFitted(`the argument \`${key}\``, `keys must match ${String(profile.argumentNames)}`);
  const { oneType = false, noRef = false, strict = false } = profile.schema ?? {};
  const left = findSchemaProblem(strictInput ?? inputSchema, { oneType, noRef }, '#');
  if (left !== undefined) reportNotFitted(`the input schema at ${left.at}`, left.rule);
  const loss = strict && strictInput === undefined ? toStrictShape(inputSchema) : undefined;
  if (typeof loss === 'string') reportNotFitted('the strict shape', loss);
}
