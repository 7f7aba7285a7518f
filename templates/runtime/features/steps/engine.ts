// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Runs checked steps within a call: one after the other, the calls of one step also beside each other. Each goes the road of every call, within limits. */
import { once } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { statusOf } from '../../answer.ts';
import type { Call, Feature, MethodCall } from '../../feature.ts';
import { isRecord, ownMember, parseJson, RpcError, writeJson } from '../../json-rpc.ts';
import { describeThrown, describeUnknown, textOf } from '../../results.ts';
import type { Server } from '../../server.ts';
import { callToolByCode, findTool, makeContext } from '../../tools.ts';
import { type Json, type JsonObject, type SchemaObject, ToolError, type ToolResult } from '../../types.ts';
import { confirmedArguments, readAccess } from '../access.ts';
import { findOperation, runOperation } from '../operations.ts';
import { evaluate, fill, holds, Meter, requireWithin, type Scope, type Value } from './evaluate.ts';
import type { Expression, Reference } from './expression.ts';
import { type FindStepTool, type Plan, type PlannedStep, STEP_LIMITS, toStepTool } from './program.ts';

/** What a step did. `calls`: those that were sent, also failed ones. */
interface StepReport {
  id: string;
  status: 'done' | 'failed' | 'skipped' | 'not run';
  calls: number;
  ms: number;
  error?: string;
  /** After the last page that `repeat.max` allows, `while` still holds. */
  more?: true;
}

export interface Run {
  result: Value;
  /** What ended the run. */
  failure?: string;
  steps: StepReport[];
  /** Whole answers, by step. */
  values: ReadonlyMap<string, Value>;
}

interface PlannedCall {
  name: string;
  args: JsonObject;
}

interface RunOptions {
  /** The keys of calls begin with it: they are the same whenever the steps run again. */
  prefix?: string;
  /** The call is that of a client: it hears of progress, and calls beside its own count for its limit. */
  isTool?: boolean;
  /** Default: the run takes any time. */
  ms?: number;
  /** Asks for all calls of the steps with `asks`, before the first of them. @throws {Error} unless the user says yes */
  confirm?: (calls: readonly PlannedCall[]) => Promise<void>;
}

/** Calls that steps make, with the status of the API's last answer. */
const madeCalls = new WeakMap<Call, { engine: Engine; status?: number }>();

/** Nothing is sent when the steps that made a call are over. */
export const watchSending: NonNullable<Feature['aroundSend']> = async (call, _, next) => {
  let stepCall: { status?: number } | undefined;
  for (let outer: Call | undefined = call; outer !== undefined; outer = outer.parent) {
    const state = madeCalls.get(outer);
    if (state?.engine.isOver === true)
      throw new ToolError('Nothing was sent: the steps that made this call are over.');
    stepCall ??= state;
  }
  const answer = await next();
  if (stepCall !== undefined) stepCall.status = answer.status;
  return answer;
};

/** An operation that is no tool, as workflows name it: `<source>:<operationId>`. The names of tools have no colon. */
function findUnlisted(server: Server, name: string): ReturnType<typeof findOperation> {
  const [source = '', ...id] = name.split(':');
  return findOperation(server, source, id.join(':'));
}

/** @param isWorkflow the user confirms calls that may destroy, before the first of them */
export function findStepTool(
  request: MethodCall,
  name: string,
  isWorkflow: boolean,
): ReturnType<FindStepTool> {
  const { server } = request;
  const { tools } = server.catalog;
  const operation = isWorkflow ? findUnlisted(server, name) : undefined;
  if (operation !== undefined) {
    const { input, isReading } = operation;
    const info = { name, inputSchema: input as SchemaObject };
    const tool = { info, checkInput: server.compileSchema(input), checkLeast: undefined };
    return toStepTool(tool, operation.do, isReading ? 'read' : 'destructive', true);
  }
  const tool = tools.has(name) ? findTool(server, name, request) : undefined;
  if (tool === undefined) return { refusal: describeUnknown('tool', name, tools.keys()) };
  return toStepTool(tool, ownMember(server.bindings.tools, name)?.do, readAccess(tool.info), isWorkflow);
}

/** One call of a step, or one for each page. */
interface Turn {
  step: PlannedStep;
  report: StepReport;
  scope: Scope;
  key: string;
}

/** One run of a plan. */
export class Engine {
  readonly #outer: Call;
  readonly #plan: Plan;
  readonly #options: RunOptions;
  readonly #values = new Map<string, Value>();
  readonly #scope: Scope;
  readonly #reports: StepReport[];
  #calls = 0;
  #callsUnderWay = 0;
  #characters = 0;
  /** Calls that the user has confirmed, and that are still to be made, as JSON. */
  #confirmed: string[] = [];
  #asking: Promise<string[]> | undefined;
  /** Its reason says why nothing more is called. */
  readonly #ending = new AbortController();
  readonly #untilEnd: Promise<never>;

  constructor(outer: Call, plan: Plan, options: RunOptions) {
    this.#outer = outer;
    this.#plan = plan;
    this.#options = options;
    this.#scope = { inputs: plan.inputs, steps: this.#values, meter: new Meter() };
    this.#reports = plan.steps.map(({ id }) => ({ id, status: 'not run', calls: 0, ms: 0 }));
    const { signal } = this.#ending;
    this.#untilEnd = once(signal, 'abort').then(() => Promise.reject(signal.reason as Error));
    this.#untilEnd.catch(() => undefined);
  }

  /** A call that has begun may send no more. */
  get isOver(): boolean {
    return this.#ending.signal.aborted;
  }

  #stop(reason: string): void {
    const isSent = this.#callsUnderWay > 0;
    const message = isSent ? `${reason} A call was under way, and may have taken effect.` : reason;
    this.#ending.abort(new ToolError(message));
  }

  /** @throws {RpcError} a refusal by the protocol, of which the client has to know nothing else */
  async run(): Promise<Run> {
    const { work } = this.#outer;
    const { isTool, ms = 2 ** 31 - 1 } = this.#options;
    const { progress } = makeContext(this.#outer);
    const forget = work.onCancel(() => this.#stop('The steps were cancelled.'));
    const late = `The steps took longer than ${ms / 1_000} seconds.`;
    const timer = setTimeout(() => this.#stop(late), ms).unref();
    const { length } = this.#reports;
    const rest = { steps: this.#reports, values: this.#values };
    let failing = '';
    try {
      for (const [index, step] of this.#plan.steps.entries()) {
        failing = `The step ${step.id} failed: `;
        const report = this.#reports[index] as StepReport;
        await this.#runStep(step, report, index);
        if (isTool) await progress(index + 1, length, `${step.id}: ${report.status}`);
      }
      failing = '';
      await nextTurn();
      const result = fill(this.#plan.result, (text) => evaluate(this.#parsed(text), this.#scope));
      requireWithin(result, STEP_LIMITS.resultCharacters, 'The result');
      return { result, ...rest };
    } catch (thrown) {
      // The client may get a wider token.
      if (thrown instanceof RpcError && (!isTool || this.#calls <= 1)) throw thrown;
      return { result: undefined, failure: failing + describeFault(thrown), ...rest };
    } finally {
      this.#ending.abort();
      clearTimeout(timer);
      forget();
      await nextTurn();
    }
  }

  #parsed(text: string): Expression {
    return this.#plan.expressions.get(text) as Expression;
  }

  #holds(condition: string, scope: Scope): boolean {
    return holds(this.#parsed(condition), scope);
  }

  async #runStep(step: PlannedStep, report: StepReport, index: number): Promise<void> {
    const { id, when, forEach, asks } = step;
    const start = Date.now();
    try {
      report.status = when === undefined || this.#holds(when, this.#scope) ? 'done' : 'skipped';
      if (report.status === 'skipped') return;
      // A no holds for all that follow.
      if (asks) this.#confirmed = await (this.#asking ??= this.#confirm(index));
      await this.#runItems(step, report, forEach === undefined ? [undefined] : this.#itemsOf(forEach));
    } catch (thrown) {
      report.status = 'failed';
      report.error = describeFault(thrown);
      if (step.onError !== 'continue' || this.isOver) throw thrown;
      this.#values.delete(id);
    } finally {
      report.ms = Date.now() - start;
    }
  }

  /** @throws {ToolError} for an argument that is nothing: without it, a call could reach more than it should. */
  #fillArguments(args: object = {}, scope: Scope): JsonObject {
    const compute = (text: string, place: string): Value => {
      const expression = this.#parsed(text);
      const value = evaluate(expression, scope);
      const { root, segments = [] } = expression as Partial<Reference>;
      // A workflow says which of its inputs are optional.
      if (value === undefined && (root !== 'inputs' || segments.length !== 1))
        throw new ToolError(`the value of ${place} is absent, so nothing was called.`);
      return value;
    };
    const filled = fill(args, compute, 'arguments') as JsonObject;
    requireWithin(filled, STEP_LIMITS.argumentCharacters, 'The arguments');
    return filled;
  }

  #itemsOf(forEach: unknown): Json[] {
    const items = fill(forEach, (text) => evaluate(this.#parsed(text), this.#scope)) ?? [];
    if (!Array.isArray(items)) throw new ToolError('forEach takes a list.');
    const room = STEP_LIMITS.calls - this.#calls;
    if (items.length <= room) return items;
    throw new ToolError(
      `forEach has ${items.length} items, and ${room} calls are left of ${STEP_LIMITS.calls}. Take a part: [:${room}].`,
    );
  }

  /** Asks once, for what the steps from `first` on call. @throws {Error} unless the user says yes */
  async #confirm(first: number): Promise<string[]> {
    const calls = this.#plan.steps.slice(first).flatMap(({ call, asks, when, forEach, ...step }) => {
      if (!asks || (when !== undefined && !this.#holds(when, this.#scope))) return [];
      const items = forEach === undefined ? [undefined] : this.#itemsOf(forEach);
      return items.map((item): PlannedCall => {
        const args = this.#fillArguments(step.arguments, { ...this.#scope, item });
        return { name: call, args };
      });
    });
    const { confirmed } = STEP_LIMITS;
    if (calls.length > confirmed)
      throw new ToolError(
        `${calls.length} calls need the user's consent, who confirms ${confirmed} at most. None of them was made.`,
      );
    if (calls.length > 0) await this.#options.confirm?.(calls);
    return calls.map((call) => writeJson(call));
  }

  /** Answers in the order of the items. After a failure no other call begins. */
  async #runItems(step: PlannedStep, report: StepReport, items: readonly Value[]): Promise<void> {
    const { id, forEach, parallel = 1 } = step;
    const isEach = forEach !== undefined;
    const continues = isEach && step.onError === 'continue';
    const answers: Value[] = items.map(() => undefined);
    const faults: { index: number; thrown: unknown }[] = [];
    let next = 0;
    const runLine = async (): Promise<void> => {
      while (next < items.length && (continues || faults.length === 0) && !this.isOver) {
        const index = next++;
        const scope = { ...this.#scope, item: items[index] };
        const turn = { step, report, scope, key: isEach ? `${id}.${index}` : id };
        await this.#runPages(turn, (joined) => void (answers[index] = joined)).catch((thrown: unknown) => {
          faults.push({ index, thrown });
          if (continues) answers[index] = undefined;
        });
      }
    };
    await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, runLine));
    // What came before a failure is told, too.
    this.#values.set(id, isEach ? answers.map((answer) => answer ?? null) : answers[0]);
    this.#ending.signal.throwIfAborted();
    const [first] = faults.toSorted((a, b) => a.index - b.index);
    if (first === undefined) return;
    const { index, thrown } = first;
    const message = `item ${index} of ${items.length}: ${describeFault(thrown)}`;
    if (continues) report.error = `${faults.length} of ${items.length} failed; ${message}`;
    else throw isEach && !(thrown instanceof RpcError) ? new ToolError(message) : thrown;
  }

  /** `keep` takes the pages so far, since a later one may fail. */
  async #runPages({ key, ...turn }: Turn, keep: (joined: Value) => void): Promise<void> {
    const { report, scope, step } = turn;
    const { id, repeat } = step;
    if (repeat === undefined) return keep(await this.#call(step.arguments, { key, ...turn }));
    let [joined, later, args]: [Value, Scope, object | undefined] = [undefined, scope, step.arguments];
    for (let number = 1; ; number++) {
      const page = await this.#call(args, {
        ...turn,
        scope: later,
        key: number === 1 ? key : `${key}.${number}`,
      });
      joined = joinPages(joined, page, scope.meter);
      keep(joined);
      later = withAnswer(scope, id, page);
      if (!this.#holds(repeat.while, later)) return;
      // Pages that are missing are an error, unless the program takes a part.
      if (number === repeat.max) return void (report.more = true);
      args = { ...step.arguments, ...repeat.with };
    }
  }

  /** With its retries. */
  async #call(args: object | undefined, { key, ...turn }: Turn): Promise<Value> {
    const { max = 0, seconds = 0, when } = turn.step.retry ?? {};
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#callOnce(args, { ...turn, key: attempt === 0 ? key : `${key}~${attempt}` });
      const { answer, fault, status } = outcome;
      if (fault === undefined) return answer;
      const isRetried = attempt < max && (when === undefined || this.#holds(when, { ...turn.scope, status }));
      if (!isRetried) throw new ToolError(fault);
      await Promise.race([sleep(seconds * 1_000, undefined, { ref: false }), this.#untilEnd]);
    }
  }

  /** `fault`: the call was made and has failed. */
  async #callOnce(
    args: object | undefined,
    { step, report, scope, key }: Turn,
  ): Promise<{ answer?: Value; fault?: string; status: Value }> {
    const { id, call: name, isWrapped, asks, expect } = step;
    this.#ending.signal.throwIfAborted();
    if (this.#calls >= STEP_LIMITS.calls)
      throw new ToolError(`The steps have made ${STEP_LIMITS.calls} calls, which is the limit.`);
    const call = { name, args: this.#fillArguments(args, scope) };
    const index = asks ? this.#confirmed.indexOf(writeJson(call)) : 0;
    if (index < 0) throw new ToolError(`${name} was not called: the user has not confirmed this call.`);
    if (asks) this.#confirmed.splice(index, 1);
    this.#calls++;
    report.calls++;
    this.#callsUnderWay++;
    const calling = this.#send(call, key, step).finally(() => this.#callsUnderWay--);
    // Nobody waits for it when the time is over.
    calling.catch(() => undefined);
    const { result, status } = await Promise.race([calling, this.#untilEnd]);
    // What it took to receive a large answer, to read it, and to evaluate it are turns of their own.
    await nextTurn();
    for (const block of result.content)
      this.#characters += block.type === 'text' ? block.text.length : writeJson(block).length;
    const { answerCharacters: limit } = STEP_LIMITS;
    if (this.#characters > limit)
      this.#stop(
        `The answers have more than ${limit.toLocaleString('en-US')} characters together. The last call was made, and its answer left out.`,
      );
    this.#ending.signal.throwIfAborted();
    if (result.isError === true) return { fault: textOf(result), status };
    const answer = readAnswer(result, isWrapped);
    await nextTurn();
    const fault = `${name} was called, and its answer is not the expected one: ${expect ?? ''}`;
    const isFine = expect === undefined || this.#holds(expect, { ...withAnswer(scope, id, answer), status });
    return { answer, status, ...(!isFine && { fault }) };
  }

  async #send({ name, args }: PlannedCall, key: string, { asks, isRepeatable }: PlannedStep) {
    const { server, session } = this.#outer.request;
    const { isTool = false, prefix = '' } = this.#options;
    if (this.#calls > 1 && isTool) await server.count(session.client);
    const run = async (step: Call): Promise<{ result: ToolResult; status: number | undefined }> => {
      // The handler's own calls go on when its steps are over.
      const parent = step === this.#outer ? { ...step } : step;
      const stepCall: { engine: Engine; status?: number } = { engine: this };
      madeCalls.set(parent, stepCall);
      if (asks) confirmedArguments.set(parent, writeJson(args));
      const operation = findUnlisted(server, name);
      const result = operation
        ? ((await runOperation(parent, operation, args)).result as ToolResult)
        : await callToolByCode(parent, name, args);
      return { result, status: statusOf(result) ?? stepCall.status };
    };
    return isRepeatable ? run(this.#outer) : server.step(this.#outer, { key: prefix + key }, run);
  }
}

function withAnswer(scope: Scope, id: string, answer: Value): Scope {
  return { ...scope, steps: new Map([...scope.steps, [id, answer]]) };
}

/** The body of the answer: what the output schema wraps as `result` is itself the answer. */
function readAnswer({ content, structuredContent: structure }: ToolResult, isWrapped?: boolean): Value {
  const [first] = content;
  const text = first?.type === 'text' ? first.text : '';
  const isJson = /^\s*[[{]/.test(text);
  const members = isRecord(structure) ? (structure as Record<string, JsonObject>) : {};
  const isBeside = (name: string): boolean => /^_response(?:_\d+)?$/.test(name);
  const names = Object.keys(members);
  // The text stays whole where members have moved, since they do not fit the output schema.
  const hasDrifted = names.some(
    (name) => isBeside(name) && ownMember(members, name)?.['drifted'] !== undefined,
  );
  if (structure !== undefined && !(isJson && hasDrifted)) {
    const isResult = names.filter((name) => !isBeside(name)).join() === 'result';
    // Without a schema of `result`, a list is wrapped whose text is bare.
    const isBare = isWrapped ?? (isResult && !/^\s*\{/.test(text));
    return isBare && Object.hasOwn(members, 'result') ? members['result'] : structure;
  }
  if (content.length === 0) return undefined;
  if (content.some(({ type }) => type !== 'text')) return content as unknown as Json;
  return isJson ? parseWhole(text) : textOf({ content });
}

export function parseWhole(text: string): Json {
  try {
    return parseJson(text) as Json;
  } catch {
    return text;
  }
}

/** Appends to `joined`, which no answer shares. Lists are joined, also members of pages; any other member is the last page's. */
function joinPages(joined: Value, page: Value, meter: Meter): Value {
  if (Array.isArray(page)) {
    meter.spend(page.length);
    if (!Array.isArray(joined)) return [...page];
    for (const item of page) joined.push(item);
    return joined;
  }
  if (!isRecord(page)) return page ?? joined;
  // Copying a member takes ten times as long as looking at it.
  meter.spend(Object.keys(page).length * 10);
  const members = Object.entries(page as JsonObject).map(([name, value]) => [
    name,
    Array.isArray(value) ? joinPages(ownMember(joined as JsonObject, name), value, meter) : value,
  ]);
  return Object.fromEntries(members) as JsonObject;
}

function describeFault(thrown: unknown): string {
  return thrown instanceof RangeError ? 'A value is nested too deeply.' : describeThrown(thrown);
}
