// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The form of steps, and its check: whatever can be wrong is found before anything is sent. */
import { repair } from '../../coerce.ts';
import { ownMember } from '../../json-rpc.ts';
import type { Tool } from '../../tools.ts';
import type { Binding, HttpBinding, JsonObject, SchemaObject } from '../../types.ts';
import { Computed, type Expression, fill, type Template } from './expression.ts';
import { type Fault, itemOf, listShape, type Report, type Shape, Types } from './shapes.ts';

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
function closed(properties: Record<string, object>, required: string[]): SchemaObject {
  return {
    type: 'object',
    properties: properties as SchemaObject['properties'] & object,
    required,
    additionalProperties: false,
  };
}

export const STEPS_SCHEMA: SchemaObject = closed(
  {
    steps: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_STEPS,
      items: closed(
        {
          id: text,
          call: { ...text, description: 'Name of a tool' },
          arguments: object,
          when: text,
          forEach: {},
          parallel: { type: 'integer', minimum: 1, maximum: MAX_PARALLEL },
          repeat: closed({ while: text, with: object, max: { type: 'integer', minimum: 1 } }, [
            'while',
            'with',
          ]),
          onError: { enum: ['stop', 'continue'] },
        },
        ['id', 'call'],
      ),
    },
    result: {},
    inputs: object,
  },
  ['steps', 'result'],
);

export interface PlannedStep {
  id: string;
  call: string;
  /** Whether the output schema wraps the answer as `result`. Undefined: it has no `result`. */
  isWrapped: boolean | undefined;
  /** The user confirms its calls. */
  asks: boolean;
  /** It only reads, so it may run again with the answers of the client. */
  isRepeatable: boolean;
  args: Template;
  when: Expression | undefined;
  forEach: Template | undefined;
  parallel: number;
  repeat: { while: Expression; args: Template; max: number } | undefined;
  expect: { text: string; condition: Expression } | undefined;
  retry: { max: number; seconds: number; when: Expression } | undefined;
  continues: boolean;
}
export interface Plan {
  steps: readonly PlannedStep[];
  result: Template;
  inputs: JsonObject;
}

/** Finds a tool that the steps may call, or says why they may not. */
export type FindStepTool = (name: string) => StepTool | { refusal: string };
export interface StepTool extends Pick<PlannedStep, 'isWrapped' | 'asks' | 'isRepeatable'> {
  tool: Pick<Tool, 'info' | 'checkInput' | 'checkLeast'>;
}

export function readWrapping(
  outputSchema: SchemaObject = {},
  binding?: Partial<Binding>,
): PlannedStep['isWrapped'] {
  const names = Object.keys(outputSchema.properties ?? {});
  if (!names.includes('result')) return undefined;
  if (binding?.kind === 'http') return (binding as HttpBinding).result?.wrapped === true;
  return names.every((name) => /^(?:result|_response(?:_\d+)?)$/.test(name));
}

interface PlanOptions {
  /** Arguments are repaired, as those of any call. */
  repairs: boolean;
  /** Of a workflow. Default: the inputs that are there. */
  inputSchema?: SchemaObject | undefined;
}

/** What steps are, if nothing is wrong with them. The form fits `STEPS_SCHEMA`. */
export function planSteps(
  program: Steps,
  findTool: FindStepTool,
  options: PlanOptions,
): { plan: Plan } | { faults: Fault[] } {
  const faults: Fault[] = [];
  const report: Report = (place, message) => {
    faults.push({ place, message });
    if (faults.length === MAX_FAULTS) throw new EnoughFaults();
  };
  try {
    const plan = checkSteps(program, findTool, report, options);
    return faults.length > 0 ? { faults } : { plan };
  } catch (thrown) {
    if (thrown instanceof EnoughFaults) return { faults };
    throw thrown;
  }
}

/** Ends the check: looking for the nearest name of each fault takes time. */
class EnoughFaults extends Error {}

function checkSteps(
  program: Steps,
  findTool: FindStepTool,
  report: Report,
  { repairs, inputSchema }: PlanOptions,
): Plan {
  const inputs = (program.inputs ?? {}) as JsonObject;
  const present = closed(Object.fromEntries(Object.keys(inputs).map((name) => [name, {}])), []);
  const types = new Types(inputSchema ?? present, report);
  let stepsBeforeAsking: ReadonlySet<string> | undefined;
  const steps = program.steps.map((step, index): PlannedStep => {
    const at = `steps[${index}]`;
    const { id, call, repeat, retry, onError, expect, parallel = 1 } = step;
    if (!/^[A-Za-z_]\w{0,63}$/.test(id))
      report(`${at}.id`, 'must have letters, digits and _ only, 64 at most');
    if (types.steps.has(id)) report(`${at}.id`, `${id} is the id of two steps`);
    const target = findTool(call);
    const { tool, ...about } = 'tool' in target ? target : NO_TOOL;
    if ('refusal' in target) report(`${at}.call`, target.refusal);
    for (const again of ['repeat', 'retry'] as const)
      if (about.asks && step[again])
        report(`${at}.${again}`, 'must be absent, since the user confirms each call');
    if (about.asks) stepsBeforeAsking ??= new Set(types.steps.keys());
    types.known = about.asks ? stepsBeforeAsking : undefined;
    const when = step.when === undefined ? undefined : types.readCondition(step.when, `${at}.when`);
    let forEach: Template | undefined;
    if (step.forEach !== undefined) {
      const { template, shape } = types.read(step.forEach, `${at}.forEach`, listShape(undefined));
      if (!(template instanceof Computed) && !Array.isArray(template))
        report(`${at}.forEach`, 'must be a list');
      types.item = { shape: shape && itemOf(shape) };
      forEach = template;
    }
    const readArguments = (value: object, place: string): Template => {
      const schema = tool?.info.inputSchema;
      const { template } = types.read(value, place, schema && { schema, root: schema });
      for (const message of tool ? listMisfits(tool, template, repairs) : []) report(place, message);
      return template;
    };
    const args = readArguments(step.arguments ?? {}, `${at}.arguments`);
    const shape = tool && answerShape(tool, about.isWrapped);
    types.known = undefined;
    types.hasStatus = true;
    const { max = 0, seconds = 0, when: isRetried = 'true' } = retry ?? {};
    const again = types.readCondition(isRetried, `${at}.retry.when`);
    // What follows looks at one answer, not at the list of all.
    types.steps.set(id, shape);
    const condition = expect === undefined ? undefined : types.readCondition(expect, `${at}.expect`);
    types.hasStatus = false;
    const planned: PlannedStep = {
      ...{ id, call, args, parallel, when, forEach, ...about, continues: onError === 'continue' },
      expect: condition && { text: expect ?? '', condition },
      retry: retry && { max, seconds, when: again },
      repeat: repeat && {
        while: types.readCondition(repeat.while, `${at}.repeat.while`),
        args: readArguments({ ...step.arguments, ...repeat.with }, `${at}.repeat.with`),
        // Pages that are missing are an error, unless the program takes a part.
        max: repeat.max ?? Infinity,
      },
    };
    types.item = undefined;
    types.steps.set(id, forEach === undefined ? shape : listShape(shape));
    return planned;
  });
  return { steps, result: types.read(program.result, 'result').template, inputs };
}

const NO_TOOL = { tool: undefined, isWrapped: undefined, asks: false, isRepeatable: false };

/** The API sends the list that an output schema wraps as `result`. */
function answerShape({ info: { outputSchema } }: StepTool['tool'], isWrapped?: boolean): Shape | undefined {
  const schema = isWrapped === true ? ownMember(outputSchema?.properties, 'result') : outputSchema;
  return schema === undefined ? undefined : { schema, root: outputSchema ?? {} };
}

/** Of arguments as far as they are there already, by the schema itself. A place that an expression fills is left to `Types`. */
function listMisfits(
  { info, checkInput, checkLeast }: StepTool['tool'],
  args: Template,
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
