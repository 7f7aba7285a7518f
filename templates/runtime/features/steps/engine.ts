// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Runs checked steps: one after the other, the calls of one step also beside each other, all within limits. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord, ownMember, parseJson, RpcError, writeJson } from '../../json-rpc.ts';
import { describeThrown, textOf } from '../../results.ts';
import type { Work } from '../../session.ts';
import { type Json, type JsonObject, ToolError, type ToolResult } from '../../types.ts';
import { evaluate, holds, Meter, requireWithin, type Scope } from './evaluate.ts';
import { type Expression, fill, type Reference, type Template } from './expression.ts';
import { type Plan, type PlannedStep, STEP_LIMITS } from './program.ts';

/** What a step did. `calls`: those that were sent, also failed ones. */
export interface StepReport {
  id: string;
  status: 'done' | 'failed' | 'skipped' | 'not run';
  calls: number;
  ms: number;
  error?: string;
  /** After the last page that `repeat.max` allows, `while` still holds. */
  more?: true;
}

export interface Run {
  result: Json | undefined;
  /** What ended the run. */
  failure?: { step: string; message: string; cause: unknown };
  steps: StepReport[];
  /** Whole answers, by step. */
  values: ReadonlyMap<string, Json | undefined>;
}

interface PlannedCall {
  name: string;
  args: JsonObject;
}
export interface CallAnswer {
  result: ToolResult;
  /** Of the API's last answer, if it was asked. */
  status: number | undefined;
}

/** A call that was made and has failed. */
class CallFault extends ToolError {
  readonly status: number | undefined;

  constructor(message: string, status: number | undefined) {
    super(message);
    this.status = status;
  }
}

export interface RunOptions {
  work: Work;
  /** Makes one call. `key` is the same whenever the steps run again. */
  call: (call: PlannedCall, key: string, step: PlannedStep) => Promise<CallAnswer>;
  /** Asks for all calls of the steps with `asks`, before the first of them. @throws {Error} unless the user says yes */
  confirm?: (calls: readonly PlannedCall[]) => Promise<void>;
  /** Undefined: the run takes any time. */
  ms?: number | undefined;
  onStep?: (done: number, report: StepReport) => void | Promise<void>;
  /** A call that has begun may send no more. */
  onEnd?: () => void;
}

export async function runSteps(plan: Plan, options: RunOptions): Promise<Run> {
  return new Engine(plan, options).run();
}

class Engine {
  readonly #plan: Plan;
  readonly #options: RunOptions;
  readonly #meter = new Meter();
  readonly #values = new Map<string, Json | undefined>();
  readonly #reports: StepReport[];
  #calls = 0;
  #callsUnderWay = 0;
  #characters = 0;
  /** Calls that the user has confirmed, and that are still to be made, as JSON. */
  #confirmed: string[] | undefined;
  /** Why nothing more is called. */
  #end: string | undefined;
  readonly #untilEnd: Promise<never>;
  #fail: (reason: Error) => void = () => undefined;

  constructor(plan: Plan, options: RunOptions) {
    this.#plan = plan;
    this.#options = options;
    this.#reports = plan.steps.map(({ id }) => ({ id, status: 'not run', calls: 0, ms: 0 }));
    this.#untilEnd = new Promise((_, reject) => (this.#fail = reject));
    this.#untilEnd.catch(() => undefined);
  }

  #stop(reason: string): void {
    const isSent = this.#callsUnderWay > 0;
    this.#end ??= isSent ? `${reason} A call was under way, and may have taken effect.` : reason;
    this.#options.onEnd?.();
    this.#fail(new ToolError(this.#end));
  }

  async run(): Promise<Run> {
    const { work, ms, onStep } = this.#options;
    const forget = work.onCancel(() => this.#stop('The steps were cancelled.'));
    const timer = setTimeout(
      () => this.#stop(`The steps took longer than ${STEP_LIMITS.ms / 1_000} seconds.`),
      ms ?? 2 ** 31 - 1,
    ).unref();
    const rest = { steps: this.#reports, values: this.#values };
    let failing = '';
    try {
      for (const [index, step] of this.#plan.steps.entries()) {
        failing = step.id;
        const report = this.#reports[index] as StepReport;
        await this.#runStep(step, report, index);
        await onStep?.(index + 1, report);
      }
      failing = '';
      const scope = this.#scope();
      const result = fill(this.#plan.result, (expression) => evaluate(expression, scope));
      requireWithin(result, STEP_LIMITS.resultCharacters, 'The result');
      return { result, ...rest };
    } catch (cause) {
      const failure = { step: failing, message: describeFault(cause), cause };
      return { result: undefined, failure, ...rest };
    } finally {
      clearTimeout(timer);
      forget();
    }
  }

  async #runStep(step: PlannedStep, report: StepReport, index: number): Promise<void> {
    const { id, when, forEach } = step;
    const start = Date.now();
    const scope = this.#scope();
    try {
      report.status = when === undefined || holds(when, scope) ? 'done' : 'skipped';
      if (report.status === 'skipped') return;
      if (step.asks && this.#confirmed === undefined) {
        // A no holds for all that follow.
        this.#confirmed = [];
        this.#confirmed = await this.#confirm(index);
      }
      const keep = (joined: Json | undefined): void => void this.#values.set(id, joined);
      if (forEach === undefined) keep(await this.#runOne(step, report, { scope, key: id, keep }));
      else keep(await this.#runEach(step, report, this.#itemsOf(forEach, scope)));
    } catch (cause) {
      report.status = 'failed';
      report.error = describeFault(cause);
      if (!step.continues || this.#end !== undefined) throw cause;
      this.#values.delete(id);
    } finally {
      report.ms = Date.now() - start;
    }
  }

  #scope(more: Partial<Scope> = {}): Scope {
    return { inputs: this.#plan.inputs, steps: this.#values, meter: this.#meter, ...more };
  }

  /** @throws {ToolError} for an argument that is nothing: without it, a call could reach more than it should. */
  #fillArguments(template: Template, scope: Scope, place: string): JsonObject {
    const compute = (expression: Expression, at: string): Json | undefined => {
      const value = evaluate(expression, scope);
      const { root, segments = [] } = expression as Partial<Reference>;
      // A workflow says which of its inputs are optional.
      if (value === undefined && (root !== 'inputs' || segments.length !== 1))
        throw new ToolError(`the value of ${at} is absent, so nothing was called.`);
      return value;
    };
    const args = fill(template, compute, place) as JsonObject;
    requireWithin(args, STEP_LIMITS.argumentCharacters, 'The arguments');
    return args;
  }

  #itemsOf(forEach: Template, scope: Scope): Json[] {
    const items = fill(forEach, (expression) => evaluate(expression, scope)) ?? [];
    if (!Array.isArray(items)) throw new ToolError('forEach takes a list.');
    const room = STEP_LIMITS.calls - this.#calls;
    if (items.length <= room) return items;
    throw new ToolError(
      `forEach has ${items.length} items, and ${room} calls are left of ${STEP_LIMITS.calls}. Take a part: [:${room}].`,
    );
  }

  /** Asks once, for what the steps from `first` on call. @throws {Error} unless the user says yes */
  async #confirm(first: number): Promise<string[]> {
    const calls = this.#plan.steps.slice(first).flatMap(({ call, args, asks, when, forEach }) => {
      if (!asks || (when !== undefined && !holds(when, this.#scope()))) return [];
      const items = forEach === undefined ? [undefined] : this.#itemsOf(forEach, this.#scope());
      const fillFor = (item: Json | undefined): JsonObject =>
        this.#fillArguments(args, this.#scope({ item }), 'arguments');
      return items.map((item): PlannedCall => ({ name: call, args: fillFor(item) }));
    });
    const { confirmed } = STEP_LIMITS;
    if (calls.length > confirmed)
      throw new ToolError(
        `${calls.length} calls may delete or overwrite data, and a user confirms ${confirmed} at most. None of them was made.`,
      );
    if (calls.length > 0) await this.#options.confirm?.(calls);
    return calls.map((call) => writeJson(call));
  }

  /** Answers in the order of the items. After a failure no other call begins. */
  async #runEach(step: PlannedStep, report: StepReport, items: readonly Json[]): Promise<Json[]> {
    const answers: Json[] = [];
    const faults: { index: number; thrown: unknown }[] = [];
    let next = 0;
    const runOnes = async (): Promise<void> => {
      while (next < items.length && (step.continues || faults.length === 0) && this.#end === undefined) {
        const index = next++;
        const scope = this.#scope({ item: items[index] });
        const keep = (joined: Json | undefined): void => void (answers[index] = joined ?? null);
        try {
          keep(await this.#runOne(step, report, { scope, key: `${step.id}.${index}`, keep }));
        } catch (thrown) {
          faults.push({ index, thrown });
          if (step.continues || answers[index] === undefined) keep(null);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(step.parallel, items.length) }, runOnes));
    const [first] = faults.toSorted((a, b) => a.index - b.index);
    // What came before a failure is told, too.
    this.#values.set(
      step.id,
      Array.from(answers, (answer) => (answer as Json | undefined) ?? null),
    );
    if (this.#end !== undefined) throw new ToolError(this.#end);
    if (first === undefined) return answers;
    const message = `item ${first.index} of ${items.length}: ${describeFault(first.thrown)}`;
    if (step.continues) {
      report.error = `${faults.length} of ${items.length} failed; ${message}`;
      return answers;
    }
    if (first.thrown instanceof RpcError) throw first.thrown;
    throw new ToolError(message);
  }

  /** One call, or one for each page. `keep` takes the pages so far, since a later one may fail. */
  async #runOne(
    step: PlannedStep,
    report: StepReport,
    { scope, key, keep }: { scope: Scope; key: string; keep: (joined: Json | undefined) => void },
  ): Promise<Json | undefined> {
    const { id, args: template, repeat } = step;
    let page = await this.#call(step, template, { report, scope, key, place: 'arguments' });
    if (repeat === undefined) return page;
    let joined = joinPages(undefined, page, this.#meter);
    for (let number = 2; ; number++) {
      keep(joined);
      const later: Scope = { ...scope, steps: new Map([...scope.steps, [id, page]]) };
      if (!holds(repeat.while, later)) return joined;
      if (number > repeat.max) {
        report.more = true;
        return joined;
      }
      const more = { report, scope: later, key: `${key}.${number}`, place: 'repeat.with' };
      page = await this.#call(step, repeat.args, more);
      joined = joinPages(joined, page, this.#meter);
    }
  }

  async #call(step: PlannedStep, template: Template, use: CallUse): Promise<Json | undefined> {
    const { max, seconds, when } = step.retry ?? { max: 0, seconds: 0, when: NEVER };
    for (let attempt = 0; ; attempt++) {
      const key = attempt === 0 ? use.key : `${use.key}~${attempt}`;
      try {
        return await this.#callOnce(step, template, { ...use, key });
      } catch (thrown) {
        if (!(thrown instanceof CallFault) || attempt === max || this.#end !== undefined) throw thrown;
        if (!holds(when, { ...use.scope, status: thrown.status })) throw thrown;
        await Promise.race([sleep(seconds * 1_000, undefined, { ref: false }), this.#untilEnd]);
      }
    }
  }

  async #callOnce(
    step: PlannedStep,
    template: Template,
    { report, scope, key, place }: CallUse,
  ): Promise<Json | undefined> {
    const { id, call: name, isWrapped, asks, expect } = step;
    if (this.#end !== undefined) throw new ToolError(this.#end);
    if (this.#calls >= STEP_LIMITS.calls)
      throw new ToolError(`The steps have made ${STEP_LIMITS.calls} calls, which is the limit.`);
    const call = { name, args: this.#fillArguments(template, scope, place) };
    const confirmed = asks ? (this.#confirmed?.indexOf(writeJson(call)) ?? -1) : 0;
    if (confirmed < 0) throw new ToolError(`${name} was not called: the user has not confirmed this call.`);
    if (asks) this.#confirmed?.splice(confirmed, 1);
    this.#calls++;
    report.calls++;
    this.#callsUnderWay++;
    const calling = this.#options.call(call, key, step).finally(() => this.#callsUnderWay--);
    // Nobody waits for it when the time is over.
    calling.catch(() => undefined);
    const { result, status } = await Promise.race([calling, this.#untilEnd]);
    for (const block of result.content)
      this.#characters += block.type === 'text' ? block.text.length : writeJson(block).length;
    if (this.#characters > STEP_LIMITS.answerCharacters) {
      const limit = STEP_LIMITS.answerCharacters.toLocaleString('en-US');
      this.#stop(
        `The answers have more than ${limit} characters together. The last call was made, and its answer left out.`,
      );
    }
    if (this.#end !== undefined) throw new ToolError(this.#end);
    if (result.isError === true) throw new CallFault(textOf(result), status);
    const answer = readAnswer(result, isWrapped);
    const steps = new Map([...scope.steps, [id, answer]]);
    if (expect !== undefined && !holds(expect.condition, { ...scope, steps, status }))
      throw new CallFault(
        `${name} was called, and its answer is not the expected one: ${expect.text}`,
        status,
      );
    return answer;
  }
}

interface CallUse {
  report: StepReport;
  scope: Scope;
  key: string;
  place: string;
}

const NEVER: Expression = { kind: 'literal', value: false };

/** The body of the answer: what the output schema wraps as `result` is itself the answer. */
function readAnswer({ content, structuredContent }: ToolResult, isWrapped?: boolean): Json | undefined {
  const [first] = content;
  const text = first?.type === 'text' ? first.text : '';
  const structure = structuredContent;
  const isJson = /^\s*[[{]/.test(text);
  // The text stays whole where members have moved, since they do not fit the output schema.
  if (structure !== undefined && !(isJson && hasDrifted(structure))) {
    if (!isRecord(structure) || !Object.hasOwn(structure, 'result')) return structure;
    const names = Object.keys(structure).filter((name) => !RESPONSE_MEMBER.test(name));
    // Without a schema of `result`, a list is wrapped whose text is bare.
    const isBare = isWrapped ?? (names.length === 1 && !/^\s*\{/.test(text));
    return isBare ? (structure as JsonObject)['result'] : structure;
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

const RESPONSE_MEMBER = /^_response(?:_\d+)?$/;

function hasDrifted(structure: Json): boolean {
  return Object.entries(structure as object).some(
    ([name, beside]) => RESPONSE_MEMBER.test(name) && isRecord(beside) && Object.hasOwn(beside, 'drifted'),
  );
}

/** Appends to `joined`, which no answer shares. Lists are joined, also members of pages; any other member is the last page's. */
function joinPages(joined: Json | undefined, page: Json | undefined, meter: Meter): Json | undefined {
  if (Array.isArray(page)) {
    meter.spend(page.length);
    if (!Array.isArray(joined)) return [...page];
    for (const item of page) joined.push(item);
    return joined;
  }
  if (!isRecord(page)) return page ?? joined;
  const earlier = isRecord(joined) ? (joined as JsonObject) : {};
  const members = Object.entries(page as JsonObject).map(([name, value]) => [
    name,
    Array.isArray(value) ? joinPages(ownMember(earlier, name), value, meter) : value,
  ]);
  return Object.fromEntries(members) as JsonObject;
}

function describeFault(thrown: unknown): string {
  if (thrown instanceof RangeError) return 'A value is nested too deeply.';
  return describeThrown(thrown);
}
