/** Arazzo 1.0 → workflows. What steps can't say is a fault with its place. */
import type { Step } from '../../../templates/runtime/features/steps/program.ts';
import { isRecord } from '../../../templates/runtime/json-rpc.ts';
import type { HttpBinding } from '../../model/bindings.ts';
import type { Tool } from '../../model/server-model.ts';
import { reachedDefinitions } from '../../model/schema-walk.ts';
import {
  escapePointerToken,
  type JsonSchema,
  type JsonSchemaObject,
  unescapePointerToken,
} from '../../util/json-schema.ts';
import { tryParseJson } from '../../util/try-parse-json.ts';
import { cleanName } from '../names/clean-name.ts';
import { callOf } from './calls.ts';
import { type FindTool, type ReportFault, RETRY_LIMITS, type Workflow } from './workflow.ts';

type Members = Record<string, unknown>;

interface ArazzoContext {
  findTool: FindTool;
  /** Whether the URL of a source description is a document of the project. */
  isDocument: (url: string) => boolean;
  report: ReportFault;
}

/** The members of each object that are read. Any other is a fault. */
const MEMBERS = {
  workflow: 'workflowId summary description inputs steps outputs',
  step: 'stepId description operationId operationPath parameters requestBody successCriteria onSuccess onFailure outputs',
  parameter: 'name in value',
  'request body': 'contentType payload',
  criterion: 'condition context type',
  action: 'name type stepId criteria',
  retry: 'name type retryAfter retryLimit criteria',
} as const;

export function readArazzo(document: Members, context: ArazzoContext): Workflow[] {
  const { arazzo, workflows } = document;
  if (!/^1\.0\.\d+$/.test(String(arazzo))) {
    context.report('/arazzo', `Arazzo 1.0 is read, and this is ${String(arazzo)}`);
    return [];
  }
  return listOf(workflows).flatMap((workflow, index) => {
    const reader = new WorkflowReader(document, context);
    const read = reader.read(workflow, `/workflows/${index}`);
    return reader.isFaulty ? [] : [read];
  });
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const membersOf = (value: unknown): Members => (isRecord(value) ? value : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const isWithin = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && value >= least && value <= most;
const RETRY_RANGE = `retryLimit is 1 to ${RETRY_LIMITS.max}, and retryAfter 0 to ${RETRY_LIMITS.seconds} seconds`;
const and = (conditions: readonly string[]): string =>
  conditions.length < 2 ? conditions.join('') : conditions.map((condition) => `(${condition})`).join(' && ');

class WorkflowReader {
  isFaulty = false;
  readonly #document: Members;
  readonly #context: ArazzoContext;
  /** The name that a step has here, by `stepId`, in order. */
  readonly #ids = new Map<string, string>();
  /** The step whose answer `$response` is. Empty: none. */
  #id = '';
  /** Its criteria of success, which hold after it. */
  #holding: readonly string[] = [];
  /** Expressions of `outputs`, by `stepId.name`. */
  readonly #outputs = new Map<string, string>();
  /** Each goes from a step to a later one if its condition holds. */
  readonly #jumps: { from: number; to: number; condition: string }[] = [];

  constructor(document: Members, context: ArazzoContext) {
    this.#document = document;
    this.#context = context;
  }

  #report(pointer: string, problem: string): void {
    this.isFaulty = true;
    this.#context.report(pointer, problem);
  }

  read(value: unknown, pointer: string): Workflow {
    const workflow = this.#members('workflow', value, pointer);
    for (const step of listOf(workflow['steps'])) {
      const stepId = textOf(membersOf(step)['stepId']);
      this.#ids.set(stepId, stepId.replaceAll(/^(?=\d)|\W/g, '_'));
    }
    const steps = listOf(workflow['steps']).map((step, at) =>
      this.#readStep(step, at, `${pointer}/steps/${at}`),
    );
    this.#id = '';
    const [id, title, description] = ['workflowId', 'summary', 'description'].map((name) =>
      textOf(workflow[name]),
    );
    return {
      name: cleanName(id ?? '', 'models'),
      description: description || title || id || '',
      steps,
      pointer,
      ...(title && { title }),
      inputs: this.#readInputs(this.#component(workflow['inputs'], 'inputs', `${pointer}/inputs`)),
      result: this.#readValue(workflow['outputs'] ?? {}, `${pointer}/outputs`),
      locate: (place) => {
        const [, index] = /^steps\[(\d+)\]/.exec(place) ?? [];
        return index === undefined ? pointer : `${pointer}/steps/${index}`;
      },
    };
  }

  #readStep(value: unknown, index: number, pointer: string): Step {
    const step = this.#members('step', value, pointer);
    const stepId = textOf(step['stepId']);
    this.#id = this.#ids.get(stepId) ?? '';
    const tool = this.#findTool(step, pointer);
    const args = tool && this.#readArguments(step, tool.binding as HttpBinding, pointer);
    const { successCriteria } = step;
    const expected = this.#readCriteria(successCriteria, `${pointer}/successCriteria`, '$status');
    this.#holding = listOf(successCriteria).map((criterion) => JSON.stringify(criterion));
    const jumps = this.#jumps.filter(({ from, to }) => from < index && index < to);
    const when = and(jumps.map(({ condition }) => `!(${condition})`));
    this.#readSuccesses(step, index, when, pointer);
    for (const [name, output] of Object.entries(membersOf(step['outputs']))) {
      const place = `${pointer}/outputs/${escapePointerToken(name)}`;
      this.#outputs.set(`${stepId}.${name}`, this.#readExpression(textOf(output), place));
    }
    return {
      id: this.#id,
      call: tool?.name ?? '',
      arguments: args ?? {},
      ...(when !== '' && { when }),
      ...(expected !== '' && { expect: expected }),
      ...this.#readFailures(step, pointer),
    };
  }

  #findTool({ operationId, operationPath }: Members, pointer: string): Tool | undefined {
    if (operationId === undefined && operationPath === undefined) return undefined;
    const place = `${pointer}/${operationPath === undefined ? 'operationId' : 'operationPath'}`;
    const text = textOf(operationPath ?? operationId);
    const [, source] = /^\{?\$sourceDescriptions\.([\w-]+)\./.exec(text) ?? [];
    const sources = listOf(this.#document['sourceDescriptions']).map(membersOf);
    const { url } =
      sources.find(({ name, type = 'openapi' }) => type === 'openapi' && (source ?? name) === name) ?? {};
    const tool = this.#context.findTool(callOf(text));
    if (!this.#context.isDocument(textOf(url)))
      this.#report(
        place,
        `Its source description is no OpenAPI document of this project: ${textOf(url) || 'none'}`,
      );
    else if (!('refusal' in tool)) return tool;
    else this.#report(place, tool.refusal);
    return undefined;
  }

  #readArguments({ parameters, requestBody }: Members, binding: HttpBinding, pointer: string): Members {
    const { parameters: bound = [], body } = binding;
    const args: Members = {};
    for (const [index, item] of listOf(parameters).entries()) {
      const place = `${pointer}/parameters/${index}`;
      const parameter = this.#members('parameter', this.#component(item, 'parameters', place), place);
      const { name, in: location, value } = parameter;
      const argument = bound.find((one) => one.name === name && one.in === location)?.argument;
      const what = `${textOf(location)} parameter ${textOf(name)}`;
      if (argument !== undefined) args[argument] = this.#readValue(value, `${place}/value`);
      else this.#report(place, `The tool has no ${what} (credentials come from the environment)`);
    }
    if (requestBody === undefined) return args;
    const place = `${pointer}/requestBody`;
    const { payload } = this.#members('request body', requestBody, place);
    const json = typeof payload === 'string' ? tryParseJson(payload) : undefined;
    const value = this.#readValue(isRecord(json) ? json : payload, `${place}/payload`);
    if (body?.argument !== undefined) return { ...args, [body.argument]: value };
    if (!isRecord(value))
      this.#report(`${place}/payload`, 'Its members are arguments, so it must be an object');
    for (const [name, member] of Object.entries(membersOf(value)))
      args[body?.properties?.find((one) => one.name === name)?.argument ?? name] = member;
    return args;
  }

  /** The first action whose criteria hold is done. A failed step ends the workflow anyhow. */
  #readFailures({ onFailure }: Members, pointer: string): Pick<Step, 'retry'> {
    const id = this.#id;
    // Of a failed answer, steps see the status alone.
    this.#id = '';
    const before: string[] = [];
    let retry: Step['retry'];
    for (const [at, item] of listOf(onFailure).entries()) {
      const place = `${pointer}/onFailure/${at}`;
      const action = this.#component(item, 'failureActions', place);
      const { type } = action;
      const {
        retryAfter: seconds = 0,
        retryLimit: max = 1,
        criteria,
      } = this.#members(type === 'retry' ? 'retry' : 'action', action, place);
      if (type !== 'retry' && type !== 'end')
        this.#report(place, 'A failed step ends the workflow, and nothing follows');
      if (retry !== undefined && type === 'retry') this.#report(place, 'One retry of a step is read');
      if (!isWithin(max, 1, RETRY_LIMITS.max) || !isWithin(seconds, 0, RETRY_LIMITS.seconds))
        this.#report(place, RETRY_RANGE);
      const condition = this.#readCriteria(criteria, `${place}/criteria`, '$status', true) || 'true';
      if (type === 'retry')
        retry ??= { max: Number(max), seconds: Number(seconds), when: and([...before, condition]) };
      before.push(`!(${condition})`);
    }
    this.#id = id;
    return retry === undefined ? {} : { retry };
  }

  #readSuccesses({ onSuccess }: Members, index: number, when: string, pointer: string): void {
    const ids = [...this.#ids.keys()];
    // The first one whose criteria hold is done, if the step ran.
    const before = when === '' ? [] : [when];
    for (const [at, item] of listOf(onSuccess).entries()) {
      const place = `${pointer}/onSuccess/${at}`;
      const action = this.#component(item, 'successActions', place);
      const { type, stepId, criteria } = this.#members('action', action, place);
      const to = type === 'end' ? ids.length : ids.indexOf(textOf(stepId));
      if (to <= index) this.#report(place, 'It must lead to a later step');
      const condition = this.#readCriteria(criteria, `${place}/criteria`) || 'true';
      this.#jumps.push({ from: index, to, condition: and([...before, condition]) });
      before.push(`!(${condition})`);
    }
  }

  /** `status`: what stands for the status of an answer. `isFailure`: of one that is no success. */
  #readCriteria(criteria: unknown, pointer: string, status?: string, isFailure = false): string {
    const conditions = listOf(criteria).flatMap((item, at) => {
      if (status === undefined && this.#holding.includes(JSON.stringify(item))) return [];
      const place = `${pointer}/${at}/condition`;
      const { condition, context, type = 'simple' } = this.#members('criterion', item, `${pointer}/${at}`);
      const kind: unknown = isRecord(type) ? type['type'] : type;
      const text = textOf(condition);
      // A filter gives a list, which holds if it is not empty.
      if (kind === 'jsonpath' && /^\$.*(?:\[\?|\*)/s.test(text))
        return this.#readExpression(textOf(context), place) + text.slice(1);
      if (kind !== 'simple') this.#report(place, `A criterion of the type ${String(kind)} is not read`);
      if (!isFailure && /\$statusCode\s*==(?!\s*2\d\d\b)/.test(text))
        this.#report(place, 'A call that has no answer of 2xx has failed');
      const parts = /'((?:[^']|'')*)'|\$[\w.-]+(?:#[^\s()=<>!&|]*)?/g;
      return text.replaceAll(parts, (part, quoted?: string) => {
        if (quoted !== undefined) return JSON.stringify(quoted.replaceAll("''", "'"));
        return part === '$statusCode' && status ? status : this.#readExpression(part, place);
      });
    });
    return and(conditions);
  }

  /** Literals, and expressions in them. */
  #readValue(value: unknown, pointer: string): unknown {
    if (typeof value === 'object' && value !== null) {
      const read = Object.entries(value).map(([name, member]): [string, unknown] => [
        name,
        this.#readValue(member, `${pointer}/${escapePointerToken(name)}`),
      ]);
      return Array.isArray(value) ? read.map(([, item]) => item) : Object.fromEntries(read);
    }
    if (typeof value !== 'string') return value;
    const whole = /^\{(\$[^{}]*)\}$/.exec(value)?.[1] ?? value;
    if (/^\$(?:[a-z]+\.|url$|method$|statusCode$)/i.test(whole)) return this.#readExpression(whole, pointer);
    if (value.includes('{$')) this.#report(pointer, 'An expression inside a text is not read');
    return value.startsWith('$') ? `$${value}` : value;
  }

  #readExpression(text: string, pointer: string): string {
    const [, root, path = '', tokens] =
      /^\$(response\.body|inputs|steps)((?:\.[\w-]+)*)(?:#\/(.*))?$/s.exec(text) ?? [];
    const names = path.split('.').slice(1);
    const tail = tokens?.split('/').map(unescapePointerToken) ?? [];
    const [step, outputs, name, ...rest] = names;
    if (root === 'response.body' && this.#id !== '' && step === undefined)
      return `$steps.${this.#id}${toTail(tail)}`;
    if (root === 'inputs') return `$inputs${toTail([...names, ...tail])}`;
    const output = outputs === 'outputs' ? this.#outputs.get(`${step}.${name}`) : undefined;
    if (root === 'steps' && output !== undefined) return output + toTail([...rest, ...tail]);
    this.#report(pointer, `${text} is nothing that steps can refer to`);
    return '$inputs';
  }

  /** Other inputs that it refers to become its own definitions. */
  #readInputs(inputs: Members): Members {
    const components = membersOf(membersOf(this.#document['components'])['inputs']);
    const text = JSON.stringify([inputs, components]).replaceAll('"#/components/inputs/', '"#/$defs/');
    const [schema, definitions] = JSON.parse(text) as [JsonSchemaObject, Record<string, JsonSchema>];
    const $defs = reachedDefinitions(schema, definitions);
    return Object.keys($defs).length === 0 ? inputs : { ...schema, $defs };
  }

  /** Returns the component that `reference` or `$ref` names, with the members beside it. */
  #component(value: unknown, kind: string, pointer: string): Members {
    const { $ref, reference = $ref, ...rest } = membersOf(value);
    if (reference === undefined) return rest;
    const name = /^(?:#\/components\/\w+\/|\$components\.\w+\.)([\w.-]+)$/.exec(textOf(reference))?.[1] ?? '';
    const target = membersOf(membersOf(this.#document['components'])[kind])[name];
    if (!isRecord(target)) this.#report(pointer, `${textOf(reference)} is not in the components`);
    return { ...membersOf(target), ...rest };
  }

  #members(kind: keyof typeof MEMBERS, value: unknown, pointer: string): Members {
    if (!isRecord(value)) this.#report(pointer, `A ${kind} is an object`);
    for (const name of Object.keys(membersOf(value)))
      if (!MEMBERS[kind].split(' ').includes(name) && !name.startsWith('x-'))
        this.#report(`${pointer}/${escapePointerToken(name)}`, `${name} of a ${kind} is not read`);
    return membersOf(value);
  }
}

function toTail(names: readonly string[]): string {
  return names.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `[${JSON.stringify(name)}]`)).join('');
}
