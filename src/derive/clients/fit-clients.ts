/**
 * The last stage of derivation, `for`: reports what clients refuse. Names are derived shorter instead, so that locks and references
 * have them from the start.
 */
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { type ClientName, type ClientProfile, CLIENT_PROFILES } from '../../model/client-profiles.ts';
import { findNameProblem, countCharactersForName, findSchemaProblem } from '../../model/client-rules.ts';
import { countListed } from '../listing-cost.ts';
import type { ServerModel, Tool } from '../../model/server-model.ts';

/** Returns the most characters of a tool's name that all clients take. */
export function maximumNameLength(server: string, clients: readonly ClientName[]): number {
  return Math.min(...clients.map((name) => countCharactersForName(server, CLIENT_PROFILES[name])));
}

export function reportClientProblems(
  model: ServerModel,
  clients: readonly ClientName[],
  diagnostics: DiagnosticCollector,
): void {
  const tools = countListed(model);
  for (const profile of clients.map((name) => CLIENT_PROFILES[name])) {
    const { title, mostTools: limit = Infinity } = profile;
    if (tools > limit) diagnostics.report('client-takes-fewer-tools', { client: title, tools, limit });
    for (const tool of model.tools) reportToolProblems(tool, model.name, profile, diagnostics);
  }
}

/** Arrays without `items` and keywords beside references are rewritten for every client when schemas are listed. */
function reportToolProblems(
  { name, inputSchema, origin }: Tool,
  server: string,
  profile: ClientProfile,
  diagnostics: DiagnosticCollector,
): void {
  const report = (part: string, rule: string): void => {
    diagnostics.report(
      'client-not-fitted',
      { client: profile.title, tool: name, what: part, rule },
      { at: origin },
    );
  };
  const nameProblem = findNameProblem(name, server, profile);
  if (nameProblem !== undefined) report('the name', nameProblem);
  for (const key of Object.keys(inputSchema.properties ?? {}))
    if (profile.argumentNames?.test(key) === false)
      report(`the argument \`${key}\``, `keys must match ${String(profile.argumentNames)}`);
  const { oneType = false, noRef = false } = profile.schema ?? {};
  const schemaProblem = findSchemaProblem(inputSchema, { oneType, noRef }, '#');
  if (schemaProblem !== undefined) report(`the input schema at ${schemaProblem.at}`, schemaProblem.rule);
}
