// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The form of steps, and its check: whatever can be wrong is found before anything is sent. */
import { repair } from '../../coerce.ts';
import { ownMember } from '../../json-rpc.ts';
import type { Tool } from '../../tools.ts';
import {
  type Binding,
  type HttpBinding,
  type JsonObject,
  type SchemaObject,
  ToolError,
} from '../../types.ts';
import type { Access } from '../access.ts';
import { fill } from './evaluate.ts';
import type { Expression } from './expression.ts';
import { ANY, itemOf, listShape, type Report, type Shape, Types } from './shapes.ts';

/** `calls` of one run, `confirmed` ones by one question, `ms` of a run that a model wrote, `answerCharacters` of all answers together. */
export const STEP_LIMITS = {
  calls: 50,
  confirmed: 20,
  ms: 30_000,
  answerCharacters: 16 * 1024 * 1024,
  argumentCharacters: 1024 * 1024,
  resultCharacters: 1024 * 1024,
};
const [MAX_STEPS, MAX_PARALLEL, MAX_FAULTS] = [50, 5, 20];

/** Programs as callers write them. */
export interface Step {
  id: string;
  call: string;
  arguments?: Record<string, unknown>;
  when?: string;
  forEach?: unknown;
  parallel?: number;
  repeat?: { while: string; with: Record<string, unknown>; max?: number };
  /** Of workflows: holds for the answer of each call, else the step fails. */
  expect?: string;
  /** Of workflows: calls again after a failure, `max` times, while `when` holds for the status of the answer. */
  retry?: { max: number; seconds?: number; when?: string };
  onError?: 'stop' | 'continue';
}
export interface Steps {
  steps: Step[];
  result: unknown;
  inputs?: Record<string, unknown>;
}

const text = { type: 'string' };
const object = { type: 'object' };
const count = { type: 'integer', minimum: 1 };
const closed = (properties: object, required: string[]) =>
  ({ type: 'object', properties, required, additionalProperties: false }) as SchemaObject;
const step = closed(
  {
    id: text,
    call: { ...text, description: 'Name of a tool' },
    arguments: object,
    when: text,
    forEach: {},
    parallel: { ...count, maximum: MAX_PARALLEL },
    repeat: closed({ while: text, with: object, max: count }, ['while', 'with']),
    onError: { enum: ['stop', 'continue'] },
  },
  ['id', 'call'],
);
const list = { type: 'array', minItems: 1, maxItems: MAX_STEPS, items: step };
export const STEPS_SCHEMA = closed({ steps: list, result: {}, inputs: object }, ['steps', 'result']);

/** Finds a tool that the steps may call, or says why they may not. */
export type FindStepTool = (name: string) => StepTool | { refusal: string };
export interface StepTool {
  tool: Pick<Tool, 'info' | 'checkInput' | 'checkLeast'>;
  /** Whether the output schema wraps the answer as `result`. Undefined: it has no `result`. */
  isWrapped: boolean | undefined;
  /** The user confirms its calls. */
  asks: boolean;
  /** It only reads, so it may run again with the answers of the client. */
  isRepeatable: boolean;
}
export interface PlannedStep extends Step, Omit<StepTool, 'tool'> {}
export interface Plan extends Required<Steps> {
  steps: PlannedStep[];
  inputs: JsonObject;
  /** By their texts. */
  expressions: ReadonlyMap<string, Expression>;
}

/** Whether the answer is wrapped is said by the binding of a tool of the API, and by the schema of any other. */
export function toStepTool(
  tool: StepTool['tool'],
  binding: Partial<Binding> | undefined,
  access: Access,
  isWorkflow: boolean,
): StepTool {
  const names = Object.keys(tool.info.outputSchema?.properties ?? {});
  const isAlone = names.every((name) => /^(?:result|_response(?:_\d+)?)$/.test(name));
  const isBound = (binding as Partial<HttpBinding> | undefined)?.result?.wrapped === true;
  return {
    tool,
    isWrapped: names.includes('result') ? (binding?.kind === 'http' ? isBound : isAlone) : undefined,
    asks: isWorkflow && (access === 'destructive' || binding?.['confirm'] === 'always'),
    isRepeatable: isWorkflow && access === 'read',
  };
}

interface PlanOptions {
  /** Arguments are repaired, as those of any call. */
  repairs: boolean;
  /** Of a workflow. Default: the inputs that are there. */
  inputSchema?: SchemaObject | undefined;
}

/** What is wrong with steps. The twentieth fault ends the check: looking for the nearest name of each takes time. */
export class StepFaults extends ToolError {
  readonly faults: readonly { place: string; message: string }[];

  constructor(faults: StepFaults['faults']) {
    const lines = faults.map(({ place, message }) => `- ${place}: ${message}`);
    super(["Nothing was sent, since the steps can't be run:", ...lines].join('\n'));
    this.faults = faults;
  }
}

/** The form fits `STEPS_SCHEMA`. @throws {StepFaults} */
export function planSteps(
  program: Steps,
  findTool: FindStepTool,
  { repairs, inputSchema }: PlanOptions,
): Plan {
  const faults: { place: string; message: string }[] = [];
  const report: Report = (place, message) => {
    faults.push({ place, message });
    if (faults.length === MAX_FAULTS) throw new StepFaults(faults);
  };
  const inputs = (program.inputs ?? {}) as JsonObject;
  const present = closed(Object.fromEntries(Object.keys(inputs).map((name) => [name, {}])), []);
  const types = new Types(inputSchema ?? present, report);
  let stepsBeforeAsking: ReadonlySet<string> | undefined;
  const steps = program.steps.map((step, index): PlannedStep => {
    const at = `steps[${index}]`;
    const { id, call, when, forEach, repeat, retry, expect } = step;
    if (!/^[A-Za-z_]\w{0,63}$/.test(id))
      report(`${at}.id`, 'must have letters, digits and _ only, 64 at most');
    if (types.steps.has(id)) report(`${at}.id`, `${id} is the id of two steps`);
    const target = findTool(call);
    if ('refusal' in target) report(`${at}.call`, target.refusal);
    const { tool, ...about } = 'tool' in target ? target : NO_TOOL;
    for (const again of ['repeat', 'retry'] as const)
      if (about.asks && step[again])
        report(`${at}.${again}`, 'must be absent, since the user confirms each call');
    if (about.asks) stepsBeforeAsking ??= new Set(types.steps.keys());
    types.known = about.asks ? stepsBeforeAsking : undefined;
    if (when !== undefined) types.readExpression(when, `${at}.when`, true);
    if (forEach !== undefined) {
      types.roots.item = itemOf(types.readValue(forEach, `${at}.forEach`, listShape(ANY)));
      if (!Array.isArray(forEach) && !/^\$(?!\$)/.test(String(forEach)))
        report(`${at}.forEach`, 'must be a list');
    }
    const readArguments = (args: object, place: string): void => {
      const schema = tool?.info.inputSchema;
      types.readValue(args, place, schema && { schema, root: schema });
      for (const message of tool ? listMisfits(tool, args, repairs) : []) report(place, message);
    };
    readArguments(step.arguments ?? {}, `${at}.arguments`);
    types.known = undefined;
    types.roots.status = { schema: { type: 'integer' }, root: {} };
    if (retry?.when !== undefined) types.readExpression(retry.when, `${at}.retry.when`, true);
    // What follows looks at one answer, not at the list of all.
    const shape = tool ? answerShape(tool, about.isWrapped) : ANY;
    types.steps.set(id, shape);
    if (expect !== undefined) types.readExpression(expect, `${at}.expect`, true);
    delete types.roots.status;
    if (repeat !== undefined) {
      types.readExpression(repeat.while, `${at}.repeat.while`, true);
      readArguments({ ...step.arguments, ...repeat.with }, `${at}.repeat.with`);
    }
    delete types.roots.item;
    types.steps.set(id, forEach === undefined ? shape : listShape(shape));
    return { ...step, ...about };
  });
  types.readValue(program.result, 'result');
  if (faults.length > 0) throw new StepFaults(faults);
  return { steps, inputs, result: program.result, expressions: types.expressions };
}

const NO_TOOL = { tool: undefined, isWrapped: undefined, asks: false, isRepeatable: false };

/** The API sends the list that an output schema wraps as `result`. */
function answerShape({ info: { outputSchema } }: StepTool['tool'], isWrapped?: boolean): Shape {
  const root = outputSchema ?? {};
  return { schema: (isWrapped && ownMember(root.properties, 'result')) || root, root };
}

/** Of arguments as far as they are there already, by the schema itself. A place that an expression fills is left to `Types`. */
function listMisfits(
  { info, checkInput, checkLeast }: StepTool['tool'],
  args: object,
  repairs: boolean,
): string[] {
  const filled: string[] = [];
  const sample = fill(args, (_, place) => (filled.push(place), {}));
  const isWithin = (place: string, outer: string): boolean =>
    place.startsWith(outer) && /^(?:$|[.[])/.test(place.slice(outer.length));
  const listFaults = (value: unknown): string[] =>
    checkInput(value).flatMap(({ path, message }) => {
      const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
      return filled.some((other) => isWithin(place, other) || isWithin(other, place)) ? [] : message;
    });
  if (checkLeast?.(sample).length === 0) return [];
  const faults = listFaults(sample);
  return faults.length > 0 && repairs ? listFaults(repair(info.inputSchema, sample)) : faults;
}
