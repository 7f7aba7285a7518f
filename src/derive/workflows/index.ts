/** Makes a tool of each workflow. Its steps are checked as the server checks them. */
import { resolve } from 'node:path';
import { readAccess, readsByMethod } from '../../../templates/runtime/features/access.ts';
import {
  planSteps,
  StepFaults,
  STEPS_SCHEMA,
  type StepTool,
  toStepTool,
} from '../../../templates/runtime/features/steps/program.ts';
import { STEP_TOOLS } from '../../../templates/runtime/features/steps/tools.ts';
import { isRecord } from '../../../templates/runtime/json-rpc.ts';
import { describeUnknown } from '../../../templates/runtime/results.ts';
import type { SchemaObject, ToolInfo } from '../../../templates/runtime/types.ts';
import { compileSchema } from '../../../templates/runtime/validate.ts';
import { NAME_LENGTH } from '../../config/options/values.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { assertModel, assertSchemas } from '../../model/assert-model.ts';
import { sourceNameOfApi } from '../../model/bindings.ts';
import { fillInHints, SURFACE_TOOLS } from '../../model/listed-items.ts';
import { keyWithoutVariableNames, operationKey } from '../../model/operation-key.ts';
import type { Origin } from '../../model/origin.ts';
import type { ServerModel, Tool } from '../../model/server-model.ts';
import type { SourceModel } from '../../model/source-model.ts';
import type { WorkflowFile } from '../../model/workflows.ts';
import { requireChecked } from '../../util/check-values.ts';
import { groupBy, omitUndefined } from '../../util/collections.ts';
import { escapePointerToken, type JsonObject, type ObjectSchema } from '../../util/json-schema.ts';
import { findNameFault } from '../names/clean-name.ts';
import { cleanModelAndReport } from '../text/clean-model.ts';
import { readArazzo } from './arazzo.ts';
import { type FindTool, type ReportFault, RETRY_LIMITS, type Workflow } from './workflow.ts';

/** Adds the tools of workflows to a model whose other tools have their last names. */
export function addWorkflows(
  model: ServerModel,
  sources: readonly SourceModel[],
  { cwd = '.' }: { cwd?: string },
  diagnostics: DiagnosticCollector,
): ServerModel {
  const files = sources.flatMap(({ workflows = [] }) => workflows);
  if (files.length === 0) return model;
  const documents = new Set(sources.map(({ origin }) => resolve(cwd, origin.file)));
  const findTool = indexTools([...model.tools, ...listUnlistedTools(model)], model.readOnly === true);
  const takenNames = new Set([
    ...model.tools.map(({ name }) => name),
    ...SURFACE_TOOLS,
    ...Object.keys(STEP_TOOLS),
  ]);
  const tools = files.flatMap((file) => {
    const isForeign = isRecord(file.value) && file.value['arazzo'] !== undefined;
    // A server that only reads lacks tools of workflows that write.
    const code = isForeign || model.readOnly === true ? 'workflow-left-out' : 'workflow-fault';
    const placeOf = (pointer: string): Origin => ({
      kind: 'document',
      file: file.file,
      pointer: (file.pointer ?? '') + pointer,
    });
    const report: ReportFault = (pointer, problem) =>
      diagnostics.report(code, { problem }, { at: placeOf(pointer) });
    const isDocument = (url: string): boolean =>
      documents.has(resolve(cwd, ...(URL.canParse(url) ? [] : [file.file, '..']), url));
    const context = { findTool, isDocument, report };
    const workflows = isForeign ? readArazzo(file.value as JsonObject, context) : readFile(file, report);
    return workflows.flatMap((workflow) => {
      const { name, pointer } = workflow;
      const fault =
        findNameFault(name, NAME_LENGTH.longest, 'models') ??
        (takenNames.has(name) ? 'another tool has this name' : undefined);
      takenNames.add(name);
      if (fault === undefined) return makeTool(workflow, findTool, placeOf(pointer), report) ?? [];
      report(pointer, `\`${name}\` can't be its name: ${fault}`);
      return [];
    });
  });
  const clean = cleanModelAndReport({ ...NOTHING, tools }, diagnostics);
  return { ...model, tools: [...model.tools, ...clean.tools] };
}

const NOTHING: ServerModel = {
  ...{ format: 1, name: '', title: '', version: '', description: '' },
  ...{ tools: [], resources: [], resourceTemplates: [], prompts: [], completions: [] },
};

/** Operations that are no tools, as tools that the server does not list. */
function listUnlistedTools({ operations = {} }: ServerModel): Tool[] {
  return Object.entries(operations).flatMap(([source, byId]) =>
    Object.entries(byId).map(([id, { do: binding, input, scopes = [] }]): Tool => {
      const isReading = readsByMethod(binding);
      return {
        ...{ name: `${source}:${id}`, description: '', inputSchema: input, scopes, tags: [] },
        annotations: fillInHints({ readOnlyHint: isReading, destructiveHint: !isReading }),
        binding: { operationId: id, ...binding },
        origin: { kind: 'document', file: source, pointer: '' },
      };
    }),
  );
}

/** Tools by their names, and operations by `operationId`, `<source>:<operationId>` and `METHOD /path`. */
function indexTools(tools: readonly Tool[], isReadOnly: boolean): FindTool {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const operations = tools.flatMap(({ name, binding }) => {
    if (binding.kind !== 'http') return [];
    const { operationId = name, api } = binding;
    const key = keyWithoutVariableNames(operationKey(binding));
    const names = [
      operationId,
      key,
      ...(api === undefined ? [] : [`${sourceNameOfApi(api)}:${operationId}`]),
    ];
    return names.map((called) => ({ called, name }));
  });
  const byOperation = groupBy(operations, ({ called }) => called);
  return (call) => {
    const [operation, other] = byName.has(call) ? [] : (byOperation.get(keyWithoutVariableNames(call)) ?? []);
    const tool = byName.get(operation?.name ?? call);
    if (tool === undefined)
      return { refusal: describeUnknown('operation', call, [...byName.keys(), ...byOperation.keys()]) };
    if (other !== undefined)
      return { refusal: `${call} is an operation of several documents: name its tool, or <source>:${call}` };
    if (isReadOnly && readAccess(tool as unknown as ToolInfo) !== 'read')
      return { refusal: `${call} may change data, and the server only reads` };
    return tool;
  };
}

const members = (STEPS_SCHEMA.properties ?? {}) as { steps: SchemaObject; result: SchemaObject };
const step = members.steps.items as SchemaObject;
const text = { type: 'string', minLength: 1 };
const retry: SchemaObject = {
  type: 'object',
  properties: {
    max: { type: 'integer', minimum: 1, maximum: RETRY_LIMITS.max },
    seconds: { type: 'number', minimum: 0, maximum: RETRY_LIMITS.seconds },
    when: text,
  },
  required: ['max'],
  additionalProperties: false,
};
const checkForm = compileSchema({
  type: 'object',
  properties: {
    ...{ title: text, description: text, inputs: { type: 'object' }, result: members.result },
    steps: {
      ...members.steps,
      items: { ...step, properties: { ...step.properties, expect: { type: 'string' }, retry } },
    },
  },
  required: ['description', 'steps', 'result'],
  additionalProperties: false,
});

function readFile({ value }: WorkflowFile, report: ReportFault): Workflow[] {
  if (!isRecord(value)) report('', 'A file of workflows is an object of them, by their names');
  return Object.entries(isRecord(value) ? value : {}).flatMap(([name, workflow]) => {
    const pointer = `/${escapePointerToken(name)}`;
    const misfits = checkForm(workflow);
    for (const { path, message } of misfits)
      report([pointer, ...path.map(escapePointerToken)].join('/'), message);
    if (misfits.length > 0) return [];
    const locate = (place: string): string =>
      `${pointer}/${place.replaceAll(/[.[]/g, '/').replaceAll(']', '')}`;
    return [{ ...(workflow as unknown as Workflow), name, pointer, locate }];
  });
}

function makeTool(
  { name, title, description, inputs = {}, steps, result, locate, pointer }: Workflow,
  findTool: FindTool,
  origin: Origin,
  report: ReportFault,
): Tool | undefined {
  const inputSchema = { type: 'object', additionalProperties: false, ...(inputs as object) } as ObjectSchema;
  const called: Tool[] = [];
  const find = (call: string): StepTool | { refusal: string } => {
    const tool = findTool(call);
    if ('refusal' in tool) return tool;
    called.push(tool);
    const info = tool as unknown as ToolInfo;
    const checkInput = compileSchema(info.inputSchema);
    return toStepTool(
      { info, checkInput, checkLeast: undefined },
      tool.binding as never,
      readAccess(info),
      true,
    );
  };
  const schema = inputSchema as SchemaObject;
  try {
    planSteps({ steps, result }, find, { repairs: true, inputSchema: schema });
  } catch (thrown) {
    if (!(thrown instanceof StepFaults)) throw thrown;
    for (const { place, message } of thrown.faults) report(locate(place), `${place}: ${message}`);
    return undefined;
  }
  const accesses = called.map(({ annotations }) => readAccess(annotations ? { annotations } : {}));
  const nameOf = (call: string): string => (findTool(call) as Tool).name;
  const tool: Tool = {
    ...omitUndefined({ name, title, description }),
    inputSchema,
    annotations: fillInHints({
      readOnlyHint: accesses.every((access) => access === 'read'),
      destructiveHint: accesses.includes('destructive'),
      idempotentHint: called.every(({ annotations }) => annotations?.idempotentHint === true),
      openWorldHint: called.some(({ annotations }) => annotations?.openWorldHint !== false),
    }),
    binding: {
      kind: 'steps',
      workflow: name,
      steps: steps.map((step) => ({ ...step, call: nameOf(step.call) })) as unknown as JsonObject[],
      result: result as JsonObject,
    },
    scopes: [...new Set(called.flatMap(({ scopes }) => scopes))],
    tags: [...new Set(called.flatMap(({ tags }) => tags))],
    origin,
  };
  try {
    assertModel({ ...NOTHING, tools: [tool] });
    assertSchemas({ tools: [tool] });
    requireChecked(schema);
    return tool;
  } catch (thrown) {
    report(pointer, (thrown as Error).message);
    return undefined;
  }
}
