/** Arazzo 1.0 → workflows. What steps can't say is a fault with its place. */
import type { Step } from '../../../templates/runtime/features/steps/program.ts';
import { isRecord } from '../../../templates/runtime/json-rpc.ts';
import { essence } from '../../../templates/runtime/request.ts';
import type { HttpBinding } from '../../model/bindings.ts';
import { keyWithoutVariableNames, operationKey } from '../../model/operation-key.ts';
import type { Tool } from '../../model/server-model.ts';
import { escapePointerToken } from '../../util/json-schema.ts';
import { cleanName } from '../names/clean-name.ts';
import type { FindTool, ReportFault, Workflow } from './workflow.ts';

type Members = Record<string, unknown>;

export interface ArazzoContext {
  findTool: FindTool;
  tools: readonly Tool[];
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
} as const;

export function readArazzo(document: Members, context: ArazzoContext): Workflow[] {
  const { arazzo, workflows } = document;
  if (!/^1\.0\.\d+$/.test(String(arazzo))) {
    context.report('/arazzo', `Arazzo 1.0 is read, and this is ${String(arazzo)}`);
    return [];
  }
  return listOf(workflows).flatMap((workflow, index) => {
    let isFaulty = false;
    const report: ReportFault = (pointer, problem) => {
      isFaulty = true;
      context.report(pointer, problem);
    };
    const read = new WorkflowReader(document, { ...context, report }).read(workflow, `/workflows/${index}`);
    return isFaulty ? [] : [read];
  });
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const membersOf = (value: unknown): Members => (isRecord(value) ? value : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const unescapeToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');
const and = (conditions: readonly string[]): string =>
  conditions.length < 2 ? conditions.join('') : conditions.map((condition) => `(${condition})`).join(' && ');

class WorkflowReader {
  readonly #document: Members;
  readonly #context: ArazzoContext;
  /** The name that a step has here, by `stepId`, in order. */
  readonly #ids = new Map<string, string>();
  /** Expressions of `outputs`, by `stepId.name`. */
  readonly #outputs = new Map<string, string>();
  /** Each goes from a step to a later one if its condition holds. */
  readonly #jumps: { from: number; to: number; condition: string }[] = [];

  constructor(document: Members, context: ArazzoContext) {
    this.#document = document;
    this.#context = context;
  }

  read(value: unknown, pointer: string): Workflow {
    const { workflowId, summary, description, inputs, ...workflow } = this.#members(
      'workflow',
      value,
      pointer,
    );
    const steps = listOf(workflow['steps']).map((step, at) =>
      this.#members('step', step, `${pointer}/steps/${at}`),
    );
    for (const [index, { stepId }] of steps.entries()) {
      const id = textOf(stepId).replaceAll(/^(?=\d)|\W/g, '_');
      this.#ids.set(textOf(stepId), [...this.#ids.values()].includes(id) ? `${id}_${index}` : id);
    }
    const title = textOf(summary);
    return {
      name: cleanName(textOf(workflowId), 'models'),
      ...(title !== '' && { title }),
      description: textOf(description) || title || textOf(workflowId),
      inputs: this.#component(inputs, 'inputs', `${pointer}/inputs`),
      steps: steps.map((step, at) => this.#readStep(step, at, `${pointer}/steps/${at}`)),
      result: this.#readValue(workflow['outputs'] ?? {}, `${pointer}/outputs`, ''),
      pointer,
      locate: (place) => {
        const [, index] = /^steps\[(\d+)\]/.exec(place) ?? [];
        return index === undefined ? pointer : `${pointer}/steps/${index}`;
      },
    };
  }

  #readStep(step: Members, index: number, pointer: string): Step {
    const id = this.#ids.get(textOf(step['stepId'])) ?? '';
    const tool = this.#findTool(step, pointer);
    const args = tool && this.#readArguments(step, tool.binding as HttpBinding, { pointer, id });
    const expected = this.#readCriteria(step['successCriteria'], `${pointer}/successCriteria`, id, '$status');
    const skips = this.#jumps.filter(({ from, to }) => from < index && index < to);
    const when = and(skips.map(({ condition }) => `!(${condition})`));
    this.#readActions(step, index, { pointer, id, when });
    for (const [name, output] of Object.entries(membersOf(step['outputs']))) {
      const place = `${pointer}/outputs/${escapePointerToken(name)}`;
      this.#outputs.set(`${textOf(step['stepId'])}.${name}`, this.#readExpression(textOf(output), place, id));
    }
    return {
      ...{ id, call: tool?.name ?? '', arguments: args ?? {} },
      ...(when !== '' && { when }),
      ...(expected !== '' && { expect: expected }),
    };
  }

  #findTool({ operationId, operationPath }: Members, pointer: string): Tool | undefined {
    const member = operationPath === undefined ? 'operationId' : 'operationPath';
    const report = (problem: string): void => this.#context.report(`${pointer}/${member}`, problem);
    const [, ofId, id = ''] = /^(?:\$sourceDescriptions\.([\w-]+)\.)?(.*)$/s.exec(textOf(operationId)) ?? [];
    const [, ofPath, path = '', method = ''] =
      /^\{\$sourceDescriptions\.([\w-]+)\.url\}#\/paths\/([^/]+)\/(\w+)$/.exec(textOf(operationPath)) ?? [];
    const sources = listOf(this.#document['sourceDescriptions'])
      .map(membersOf)
      .filter(({ type = 'openapi' }) => type === 'openapi');
    const prefix = ofId ?? ofPath;
    const source = sources.find(({ name }) => prefix === undefined || name === prefix) ?? {};
    const url = textOf(source['url']);
    if (!this.#context.isDocument(url))
      return void report(`Its source description is no OpenAPI document of this project: ${url || 'none'}`);
    const key = operationKey({ method: method.toUpperCase(), path: unescapeToken(path) });
    const isOfPath = ({ binding }: Tool): boolean =>
      binding.kind === 'http' &&
      keyWithoutVariableNames(operationKey(binding)) === keyWithoutVariableNames(key);
    const tool =
      operationPath === undefined ? this.#context.findTool(id) : this.#context.tools.find(isOfPath);
    if (tool !== undefined && !('refusal' in tool)) return tool;
    return void report(tool?.refusal ?? `No tool of the server calls ${textOf(operationPath)}`);
  }

  #readArguments(
    { parameters, requestBody }: Members,
    { parameters: bound = [], body }: HttpBinding,
    { pointer, id }: { pointer: string; id: string },
  ): Members {
    const { report } = this.#context;
    const args: Members = {};
    for (const [index, item] of listOf(parameters).entries()) {
      const place = `${pointer}/parameters/${index}`;
      const resolved = this.#component(item, 'parameters', place);
      const { name, in: location, value } = this.#members('parameter', resolved, place);
      const argument = bound.find((one) => one.name === name && one.in === location)?.argument;
      const what = `${textOf(location)} parameter ${textOf(name)}`;
      if (argument !== undefined) args[argument] = this.#readValue(value, `${place}/value`, id);
      else report(place, `The tool has no ${what}: credentials come from the environment`);
    }
    if (requestBody === undefined) return args;
    const place = `${pointer}/requestBody`;
    const { contentType, payload } = this.#members('request body', requestBody, place);
    const sent = essence(body?.mediaType ?? '');
    if (contentType !== undefined && essence(textOf(contentType)) !== sent)
      report(`${place}/contentType`, `The tool sends ${sent || 'no body'}`);
    const value = this.#readValue(payload, `${place}/payload`, id);
    if (body?.argument !== undefined) return { ...args, [body.argument]: value };
    if (!isRecord(value)) report(`${place}/payload`, 'Its members are arguments, so it must be an object');
    const named = Object.entries(membersOf(value)).map(([name, member]) => [
      body?.properties?.find((one) => one.name === name)?.argument ?? name,
      member,
    ]);
    return { ...args, ...(Object.fromEntries(named) as Members) };
  }

  #readActions(
    { onSuccess, onFailure }: Members,
    index: number,
    { pointer, id, when }: { pointer: string; id: string; when: string },
  ): void {
    const { report } = this.#context;
    for (const [at, item] of listOf(onFailure).entries()) {
      const { type } = membersOf(item);
      // A failed step ends the workflow anyhow.
      if (type !== 'end')
        report(
          `${pointer}/onFailure/${at}`,
          `A failed step ends the workflow, and no ${String(type)} follows`,
        );
    }
    const ids = [...this.#ids.keys()];
    // The first one whose criteria hold is done, if the step ran.
    const before = when === '' ? [] : [when];
    for (const [at, item] of listOf(onSuccess).entries()) {
      const place = `${pointer}/onSuccess/${at}`;
      const { type, stepId, criteria } = this.#members('action', item, place);
      const to = type === 'end' ? ids.length : ids.indexOf(textOf(stepId));
      if (to <= index) report(place, 'It must lead to a later step');
      const condition = this.#readCriteria(criteria, `${place}/criteria`, id) || 'true';
      this.#jumps.push({ from: index, to, condition: and([...before, condition]) });
      before.push(`!(${condition})`);
    }
  }

  /** `status`: what stands for the status of an answer. */
  #readCriteria(criteria: unknown, pointer: string, id: string, status?: string): string {
    const { report } = this.#context;
    const conditions = listOf(criteria).map((item, at) => {
      const place = `${pointer}/${at}/condition`;
      const { condition, context, type = 'simple' } = this.#members('criterion', item, `${pointer}/${at}`);
      const kind: unknown = isRecord(type) ? type['type'] : type;
      const text = textOf(condition);
      // What filters gives a list, which holds if it is not empty.
      if (kind === 'jsonpath' && /^\$.*(?:\[\?|\*)/s.test(text))
        return this.#readExpression(textOf(context), place, id) + text.slice(1);
      if (kind !== 'simple') report(place, `A criterion of the type ${String(kind)} is not read`);
      if (/\$statusCode\s*==(?!\s*2\d\d\b)/.test(text))
        report(place, 'A call that has no answer of 2xx has failed');
      return text.replaceAll(/'((?:[^']|'')*)'|\$[\w.-]+(?:#[^\s()=<>!&|]*)?/g, (part, quoted?: string) => {
        if (quoted !== undefined) return JSON.stringify(quoted.replaceAll("''", "'"));
        return part === '$statusCode' && status ? status : this.#readExpression(part, place, id);
      });
    });
    return and(conditions);
  }

  /** Literals, and expressions in them. */
  #readValue(value: unknown, pointer: string, id: string): unknown {
    if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value).map(([name, member]) => [
        name,
        this.#readValue(member, `${pointer}/${escapePointerToken(name)}`, id),
      ]);
      return Array.isArray(value)
        ? entries.map(([, item]) => item)
        : (Object.fromEntries(entries) as Members);
    }
    if (typeof value !== 'string') return value;
    const whole = /^\{(\$[^{}]*)\}$/.exec(value)?.[1] ?? value;
    if (EXPRESSION.test(whole)) return this.#readExpression(whole, pointer, id);
    if (value.includes('{$')) this.#context.report(pointer, 'An expression inside a text is not read');
    return value.startsWith('$') ? `$${value}` : value;
  }

  /** A runtime expression. `id`: the step whose answer `$response` is. */
  #readExpression(text: string, pointer: string, id: string): string {
    const [, root, path = '', tokens = ''] =
      /^\$(response\.body|inputs|steps)((?:\.[\w-]+)*)(?:#\/(.*))?$/s.exec(text) ?? [];
    const tail = [tokens === '' ? [] : tokens.split('/').map(unescapeToken)].flat();
    const [first, second, third, ...rest] = path.split('.').slice(1);
    if (root === 'response.body' && id !== '' && first === undefined) return `$steps.${id}${toTail(tail)}`;
    if (root === 'inputs') return `$inputs${toTail([...path.split('.').slice(1), ...tail])}`;
    const output = second === 'outputs' ? this.#outputs.get(`${first}.${third}`) : undefined;
    if (root === 'steps' && output !== undefined) return output + toTail([...rest, ...tail]);
    this.#context.report(pointer, `${text} is nothing that steps can refer to`);
    return '$inputs';
  }

  /** What `reference` or `$ref` names in the components. */
  #component(value: unknown, kind: string, pointer: string): Members {
    const { $ref, reference = $ref, ...rest } = membersOf(value);
    if (reference === undefined) return rest;
    const [, name = ''] =
      /^(?:#\/components\/\w+\/|\$components\.\w+\.)([\w.-]+)$/.exec(textOf(reference)) ?? [];
    const target = membersOf(membersOf(this.#document['components'])[kind])[name];
    if (!isRecord(target)) this.#context.report(pointer, `${textOf(reference)} is not in the components`);
    return { ...membersOf(target), ...rest };
  }

  #members(kind: keyof typeof MEMBERS, value: unknown, pointer: string): Members {
    const known = MEMBERS[kind].split(' ');
    for (const name of Object.keys(membersOf(value)))
      if (!known.includes(name) && !name.startsWith('x-'))
        this.#context.report(`${pointer}/${escapePointerToken(name)}`, `${name} of a ${kind} is not read`);
    if (!isRecord(value)) this.#context.report(pointer, `A ${kind} is an object`);
    return membersOf(value);
  }
}

const EXPRESSION =
  /^\$(?:url|method|statusCode|(?:request|response|inputs|outputs|steps|workflows|sourceDescriptions|components)\.)/;

function toTail(names: readonly string[]): string {
  return names.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `[${JSON.stringify(name)}]`)).join('');
}
