import type { JsonObject } from '../../util/json-schema.ts';
import { isRecord } from '../../../templates/runtime/json-rpc.ts';
import { reportClientProblems } from '../../derive/index.ts';
import { type Diagnostic, DiagnosticCollector } from '../../diagnostics/collector.ts';
import { cutInputForListing } from '../../emit/index.ts';
import { CLIENT_NAMES } from '../../model/client-profiles.ts';
import { fillInHints } from '../../model/listed-items.ts';
import type { ServerModel, Tool } from '../../model/server-model.ts';
import { REVISIONS, USUAL_REVISION, openInProcess } from '../../serve/open-instance.ts';
import { ServedFiles } from '../../serve/serve-model.ts';
import { isPlaceInTool } from '../../lint/score.ts';
import { Refusal } from '../problem.ts';
import type { EditableWords, ToolQuery, ToolView } from '../protocol.ts';
import type { CompiledServer } from '../workspace.ts';
import { findingRows, makeSourcePlaces } from './findings-view.ts';
import { cutAroundPlace } from './source-lines.ts';
import { makeToolRows } from './tool-rows.ts';
import { type ToolSource, findToolSource } from './tool-source.ts';
import { descriptionOf, findWordOrigins } from './word-origins.ts';

export async function makeToolView(
  { name, client, revision = USUAL_REVISION }: ToolQuery,
  compiled: CompiledServer,
  config: string | undefined,
): Promise<ToolView> {
  const { model, findings = [] } = compiled.report;
  const tool = model?.tools.find((tool) => tool.name === name);
  const [row] = tool === undefined ? [] : makeToolRows(compiled, [tool]);
  if (model === undefined || tool === undefined || row === undefined)
    throw new Refusal(404, `There is no tool ${JSON.stringify(name)}.`);
  const diagnostics = new DiagnosticCollector();
  if (client !== undefined) reportClientProblems({ ...model, tools: [tool] }, [client], diagnostics);
  const places = makeSourcePlaces(compiled);
  const source = findToolSource(tool, compiled);
  const toolFindings = new Set(
    findings.filter(({ tools }) => tools.includes(name)).map(({ diagnostic }) => diagnostic),
  );
  const isOfTool = (diagnostic: Diagnostic): boolean =>
    toolFindings.has(diagnostic) || isPlaceInTool(tool, diagnostic.origin);
  return {
    generation: compiled.generation,
    row,
    source: cutAroundPlace(tool.origin, places),
    listed: await listToolForRevision(model, name, revision),
    notes: listNotes(tool, diagnostics),
    origins: findWordOrigins(tool, source, places),
    editable: makeEditableWords(tool, source, config),
    findings: findingRows(compiled, compiled.report.diagnostics.filter(isOfTool)),
    revisions: [...REVISIONS],
    clients: [...CLIENT_NAMES],
  };
}

/** Lists a tool as the runtime does for a revision. */
async function listToolForRevision(model: ServerModel, name: string, revision: string): Promise<JsonObject> {
  if (!REVISIONS.includes(revision))
    throw new Refusal(400, `There is no revision ${JSON.stringify(revision)}.`);
  const tools = model.tools.filter((tool) => tool.name === name);
  const { skills, confirm, ...rest } = model;
  void [skills, confirm];
  const alone: ServerModel = {
    ...rest,
    tools,
    resources: [],
    resourceTemplates: [],
    prompts: [],
    completions: [],
  };
  const files = new ServedFiles();
  try {
    const server = await openInProcess({ model: { ...alone, surface: 'tools' } }, files, {
      mock: false,
      env: {},
      report: () => undefined,
    });
    const { result } = await server.ask(revision, 'tools/list', {});
    server.close();
    const all = isRecord(result) && Array.isArray(result['tools']) ? (result['tools'] as JsonObject[]) : [];
    const tool = all.find((tool) => tool['name'] === name);
    if (tool === undefined) throw new Error(`The runtime does not list ${name}.`);
    return tool;
  } finally {
    files.remove();
  }
}

function listNotes(tool: Tool, diagnostics: DiagnosticCollector): string[] {
  const cut = cutInputForListing(tool.inputSchema).isCut
    ? ['The input schema is too large to list, and was cut; `describe_tool` tells the rest.']
    : [];
  return [...cut, ...diagnostics.found.map(({ message }) => message)];
}

function makeEditableWords(
  tool: Tool,
  { operation, rules: configured }: ToolSource,
  config: string | undefined,
): EditableWords {
  const { name, title = '', description = '', annotations = {}, inputSchema, pin } = tool;
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = fillInHints(annotations);
  const required = new Set(inputSchema.required);
  const { properties = {} } = inputSchema;
  const shown = Object.entries(properties).map(([argument, schema]) => ({
    name: argument,
    description: descriptionOf(schema) ?? '',
    required: required.has(argument),
    hidden: false,
  }));
  const rules = { ...operation?.xMcp?.arguments, ...configured.arguments };
  const hidden = Object.entries(rules).flatMap(([argument, { hide, description = '' }]) =>
    hide === true && !Object.hasOwn(properties, argument)
      ? [{ name: argument, description, required: false, hidden: true }]
      : [],
  );
  return {
    ...{ name, title, description },
    hints: {
      readOnly: readOnlyHint,
      destructive: destructiveHint,
      idempotent: idempotentHint,
      openWorld: openWorldHint,
    },
    arguments: [...shown, ...hidden],
    pin: pin === true,
    exclude: false,
    ...(config !== undefined && { file: config }),
  };
}
