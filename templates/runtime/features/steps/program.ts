// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The form of steps, and its check: whatever can be wrong is found before anything is sent. */
import { repair } from '../../coerce.ts';
import { isRecord, ownMember } from '../../json-rpc.ts';
import type { Tool } from '../../tools.ts';
import type { Json, JsonObject, SchemaObject } from '../../types.ts';
import type { Expression } from './expression.ts';
import { Computed, readCondition, readTemplate, type Report, type Template } from './template.ts';
import { type Fault, itemOf, listShape, type Shape, Types } from './shapes.ts';

/** `calls` of one run, `ms` of one that a client started, `answerCharacters` of all answers together. */
export const STEP_LIMITS = {
  calls: 50,
  ms: 30_000,
  answerCharacters: 16 * 1024 * 1024,
  argumentCharacters: 1024 * 1024,
  resultCharacters: 4 * 1024 * 1024,
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
  onError?: 'stop' | 'continue';
}
export interface Steps {
  steps: Step[];
  result: unknown;
  inputs?: Record<string, unknown>;
}

const text = { type: 'string' };
const any: SchemaObject = {};
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
          forEach: any,
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
    result: any,
    inputs: object,
  },
  ['steps', 'result'],
);

export interface PlannedStep {
  id: string;
  call: string;
  /** Whether the output schema wraps the answer as `result`. Undefined: it has no `result`. */
  isWrapped: boolean | undefined;
  args: Template;
  when: Expression | undefined;
  forEach: Template | undefined;
  parallel: number;
  repeat: { while: Expression; args: Template; max: number } | undefined;
  continues: boolean;
}
export interface Plan {
  steps: readonly PlannedStep[];
  result: Template;
  inputs: JsonObject;
}

/** Finds a tool that the steps may call, or says why they may not. */
export type FindStepTool = (name: string) => StepTool | { refusal: string };
interface StepTool {
  tool: Tool;
  isWrapped: boolean | undefined;
}

/** What steps are, if nothing is wrong with them. The form fits `STEPS_SCHEMA`. */
export function planSteps(
  program: Steps,
  findTool: FindStepTool,
  { repairs }: { repairs: boolean },
): { plan: Plan } | { faults: Fault[] } {
  const faults: Fault[] = [];
  const report: Report = (place, message) => {
    faults.push({ place, message });
    if (faults.length === MAX_FAULTS) throw new EnoughFaults();
  };
  try {
    const plan = checkSteps(program, findTool, { report, repairs });
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
  { report, repairs }: { report: Report; repairs: boolean },
): Plan {
  const inputs = (program.inputs ?? {}) as JsonObject;
  const types = new Types(inputs, report);
  const steps = program.steps.map((step, index): PlannedStep => {
    const at = `steps[${index}]`;
    const { id, call, repeat, onError, parallel = 1 } = step;
    if (!/^[A-Za-z_]\w{0,63}$/.test(id))
      report(`${at}.id`, 'must have letters, digits and _ only, 64 at most');
    if (types.steps.has(id)) report(`${at}.id`, `${id} is the id of two steps`);
    const args = readTemplate(step.arguments ?? {}, `${at}.arguments`, report);
    const changes = readTemplate(repeat?.with ?? {}, `${at}.repeat.with`, report);
    const target = findTool(call);
    const planned: PlannedStep = {
      isWrapped: 'tool' in target ? target.isWrapped : undefined,
      ...{ id, call, args, parallel, continues: onError === 'continue' },
      when: readCondition(step.when, `${at}.when`, report),
      forEach: step.forEach === undefined ? undefined : readTemplate(step.forEach, `${at}.forEach`, report),
      repeat: repeat && {
        while: readCondition(repeat.while, `${at}.repeat.while`, report) ?? { kind: 'literal', value: false },
        args: { ...(args as object), ...(changes as object) },
        // Pages that are missing are an error, unless the program takes a part.
        max: repeat.max ?? Infinity,
      },
    };
    types.steps.set(id, checkStep(planned, at, { target, types, report, repairs }));
    return planned;
  });
  const result = readTemplate(program.result, 'result', report);
  types.checkTemplate(result, undefined, 'result');
  return { steps, result, inputs };
}

interface Checking {
  target: ReturnType<FindStepTool>;
  types: Types;
  report: Report;
  repairs: boolean;
}

/** Returns the shape of its answer. */
function checkStep(
  { id, args, when, forEach, repeat }: PlannedStep,
  at: string,
  { target, types, report, repairs }: Checking,
): Shape | undefined {
  types.item = undefined;
  if (when) types.check(when, `${at}.when`);
  if (forEach !== undefined) {
    if (!(forEach instanceof Computed) && !Array.isArray(forEach)) report(`${at}.forEach`, 'must be a list');
    const list = types.checkTemplate(forEach, listShape(undefined), `${at}.forEach`);
    types.item = { shape: list && itemOf(list) };
  }
  const tool = 'tool' in target ? target.tool : undefined;
  if ('refusal' in target) report(`${at}.call`, target.refusal);
  const check = (template: Template, place: string): void => {
    const schema = tool?.info.inputSchema;
    types.checkTemplate(template, schema && { schema, root: schema }, place);
    for (const message of tool ? listMisfits(tool, template, repairs) : []) report(place, message);
  };
  check(args, `${at}.arguments`);
  const shape = 'tool' in target ? answerShape(target) : undefined;
  if (repeat !== undefined) {
    types.steps.set(id, shape);
    types.check(repeat.while, `${at}.repeat.while`);
    check(repeat.args, `${at}.repeat.with`);
  }
  types.item = undefined;
  return forEach === undefined ? shape : listShape(shape);
}

/** The API sends the list that an output schema wraps as `result`. */
function answerShape({ tool, isWrapped }: StepTool): Shape | undefined {
  const { outputSchema } = tool.info;
  const schema = isWrapped === true ? ownMember(outputSchema?.properties, 'result') : outputSchema;
  return schema === undefined ? undefined : { schema, root: outputSchema ?? {} };
}

/** Of arguments as far as they are there already, by the schema itself. A place that an expression fills is left to `Types`. */
function listMisfits({ info, checkInput, checkLeast }: Tool, args: Template, repairs: boolean): string[] {
  const filled: string[] = [];
  const placeOf = (path: readonly (string | number)[]): string =>
    path.map((key) => `${JSON.stringify(key)},`).join('');
  const makeSample = (template: Template, path: readonly (string | number)[]): Json => {
    if (Array.isArray(template))
      return (template as Template[]).map((item, index) => makeSample(item, [...path, index]));
    if (template instanceof Computed) filled.push(placeOf(path));
    if (template instanceof Computed || !isRecord(template))
      return template instanceof Computed ? {} : (template as Json);
    const members = Object.entries(template).map(([name, member]) => [
      name,
      makeSample(member as Template, [...path, name]),
    ]);
    return Object.fromEntries(members) as JsonObject;
  };
  const faultsOf = (value: unknown): string[] =>
    checkInput(value).flatMap(({ path, message }) => {
      const place = placeOf(path);
      return filled.some((open) => place.startsWith(open) || open.startsWith(place)) ? [] : message;
    });
  const sample = makeSample(args, []);
  if (checkLeast?.(sample).length === 0) return [];
  const faults = faultsOf(sample);
  return faults.length > 0 && repairs ? faultsOf(repair(info.inputSchema, sample)) : faults;
}
