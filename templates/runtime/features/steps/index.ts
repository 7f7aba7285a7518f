// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Steps: several calls as one tool, and programs of calls that are data. Each call goes the road of every call. */
import { isApiResult } from '../../answer.ts';
import type { Call, Caller, Feature, MethodCall } from '../../feature.ts';
import { ownMember, RpcError, writeJson } from '../../json-rpc.ts';
import { describeUnknown, errorResult } from '../../results.ts';
import type { Server } from '../../server.ts';
import { callToolByCode, findTool, makeContext } from '../../tools.ts';
import { type HttpBinding, type Json, type JsonObject, type Outcome, ToolError } from '../../types.ts';
import { type ToolInfo, type ToolResult, UsageError } from '../../types.ts';
import { compileSchema } from '../../validate.ts';
import { type Access, mayCall, readAccess } from '../access.ts';
import { type Run, type RunOptions, runSteps } from './engine.ts';
import { isKeptUri, KeptAnswers, linkTo } from './kept-answers.ts';
import { type FindStepTool, type Plan, planSteps, STEP_LIMITS, type Steps, STEPS_SCHEMA } from './program.ts';
import type { Fault } from './shapes.ts';
import { READ_TOOL, STEP_TOOLS, WRITE_TOOL } from './tools.ts';

declare module '../../types.ts' {
  interface Context {
    /** Calls several tools by steps, also such as may destroy. Returns what `result` selects. @throws {ToolError} */
    run(steps: StepsProgram): Promise<Json | undefined>;
  }
  type StepsProgram = Steps;
}

export function steps(): Feature {
  const feature: Feature = {
    name: 'steps',
    capabilities: ({ catalog: { lists } }) =>
      lists.has('resources') || lists.has('resourceTemplates') ? {} : { resources: {} },
    catalog: {
      select: ({ tools }) => {
        for (const name of Object.keys(STEP_TOOLS))
          if (tools.has(name))
            throw new UsageError(`The tool ${name} needs another name: the server's own tool runs steps.`);
      },
      list: (list, items, { server }) => (list === 'tools' ? [...items, ...listStepTools(server)] : items),
      find: (kind, name, method) => {
        if (kind === 'resource' && isKeptUri(name)) return findAnswer(runner.answers, name, method);
        const item =
          kind === 'tool' ? listStepTools(method.server).find((tool) => tool.name === name) : undefined;
        return item && { item, run: (call) => runner.runTool(call, name) };
      },
    },
    aroundCall: {
      observe: async (call, next) => {
        const outcome = await next();
        const isOfClient = call.kind === 'tool' && call.origin === 'client';
        return isOfClient ? keepLarge(runner.answers, call, outcome) : outcome;
      },
    },
    aroundSend: (call, _, next) => {
      for (let outer: Call | undefined = call; outer !== undefined; outer = outer.parent)
        if (runner.runs.get(outer)?.isOver === true)
          throw new ToolError('Nothing was sent: the steps that made this call are over.');
      return next();
    },
    context: (call) => {
      let count = 0;
      return { run: (program: Steps) => runner.runProgram(call, program, ++count) };
    },
  };
  const runner = new Runner(feature);
  return feature;
}

function listStepTools({ catalog }: Server): ToolInfo[] {
  return catalog.isReadOnly ? [READ_TOOL] : [READ_TOOL, WRITE_TOOL];
}

function callerOf({ exchange, session }: MethodCall): Caller | undefined {
  return exchange.caller ?? session.caller;
}

function findAnswer(answers: KeptAnswers, uri: string, method: MethodCall) {
  const { resultCharacters } = method.server.settings;
  const read = (): string | undefined => answers.readPage(uri, callerOf(method), resultCharacters);
  return { item: { name: 'whole answer', uri }, run: read };
}

/** Scopes that the source and the user's own code ask for a tool. */
function scopesOf({ bindings, catalog }: Server, name: string): readonly string[] {
  const items = [
    ownMember(bindings.tools, name),
    catalog.handlers.extraTools?.find((tool) => tool.name === name),
  ];
  return items.flatMap((item) => (item as { scopes?: readonly string[] } | undefined)?.scopes ?? []);
}

/** The client gets a part of it, and a link to the whole. */
function keepLarge(answers: KeptAnswers, call: Call, outcome: Outcome): Outcome {
  const { server } = call.request;
  const { resultCharacters: limit } = server.settings;
  const result = outcome.result as ToolResult;
  const [first] = result.content as ToolResult['content'] | [];
  if (first?.type !== 'text' || first.text.length <= limit || !isApiResult(result)) return outcome;
  const uri = answers.keep(first.text, callerOf(call.request), scopesOf(server, call.name));
  if (uri === undefined) return outcome;
  return { ...outcome, result: { ...result, content: [...result.content, linkTo(uri, first.text, limit)] } };
}

class Runner {
  readonly answers = new KeptAnswers();
  /** Calls that steps make, and whether their run is over. */
  readonly runs = new WeakMap<Call, { isOver: boolean }>();
  readonly #feature: Feature;

  constructor(feature: Feature) {
    this.#feature = feature;
  }

  async runTool(call: Call, name: string): Promise<ToolResult> {
    const { server, session } = call.request;
    const planned = await this.#plan(
      call,
      call.args as unknown as Steps,
      ownMember(STEP_TOOLS, name) ?? 'read',
    );
    if ('faults' in planned) return errorResult(describeFaults(planned.faults));
    const { plan } = planned;
    const context = makeContext(call);
    let calls = 0;
    const run = await this.#run(call, plan, '', {
      ms: STEP_LIMITS.ms,
      // The client's own call has been counted.
      beforeCall: async () => {
        if (++calls > 1) await server.count(session.client);
      },
      onStep: (done, { id, status }) => context.progress(done, plan.steps.length, `${id}: ${status}`),
    });
    const { failure } = run;
    // The client may get a wider token, and nothing has been done that it would have to know of.
    if (failure?.cause instanceof RpcError && calls <= 1) throw failure.cause;
    return this.#describe(call, run, plan);
  }

  /** @param number of the run in its handler */
  async runProgram(call: Call, program: Steps, number: number): Promise<Json | undefined> {
    const [misfit] = compileSchema(STEPS_SCHEMA)(program);
    if (misfit !== undefined) throw new ToolError(`The steps can't be run: ${misfit.message}.`);
    const planned = await this.#plan(call, program, 'destructive');
    if ('faults' in planned) throw new ToolError(describeFaults(planned.faults));
    const { result, failure } = await this.#run(call, planned.plan, `steps-${number}.`, {});
    if (failure?.cause instanceof RpcError) throw failure.cause;
    if (failure !== undefined) throw new ToolError(describeFailure(failure));
    return result;
  }

  async #plan({ request }: Call, program: Steps, access: Access): Promise<ReturnType<typeof planSteps>> {
    const inputs = Object.entries(program.inputs ?? {});
    const uris = inputs.map(([, value]) => value).filter(isKeptUri);
    const answers = this.answers.readWhole(new Set(uris), callerOf(request));
    const values = inputs.map(([name, value]) => [name, isKeptUri(value) ? answers.get(value) : value]);
    const find = await this.#makeFinder(request, access);
    return planSteps(
      { ...program, inputs: Object.fromEntries(values) as JsonObject },
      find,
      request.server.settings,
    );
  }

  /** Tools that exist for the caller, and that these steps may call. */
  async #makeFinder(request: MethodCall, access: Access): Promise<FindStepTool> {
    const { server } = request;
    const { catalog, features, bindings } = server;
    let items: readonly object[] = [...catalog.tools.values()];
    // The surface of search lists few of those that exist.
    for (const other of features)
      if (other !== this.#feature && other.name !== 'search')
        items = (await other.catalog?.list?.('tools', items, request)) ?? items;
    const visible = new Set(
      (items as ToolInfo[]).map(({ name }) => name).filter((name) => catalog.tools.has(name)),
    );
    return (name) => {
      const tool = visible.has(name) ? findTool(server, name, request) : undefined;
      if (tool === undefined) return { refusal: describeUnknown('tool', name, visible) };
      const target = readAccess(tool.info);
      if (!mayCall(access, target)) {
        const effect = target === 'write' ? 'adds or changes something' : 'may change or delete something';
        const canWrite = target === 'write' && !catalog.isReadOnly;
        const way = canWrite ? 'run_write_steps calls it.' : 'Call it by itself.';
        return { refusal: `${name} ${effect}, so it is no part of these steps. ${way}` };
      }
      const { result, kind } = (ownMember(bindings.tools, name)?.do ?? {}) as Partial<HttpBinding>;
      const { properties = {} } = tool.info.outputSchema ?? {};
      const isOnlyResult = Object.keys(properties).every((key) =>
        /^(?:result|_response(?:_\d+)?)$/.test(key),
      );
      const isWrapped = kind === 'http' ? result?.wrapped === true : isOnlyResult;
      return { tool, isWrapped: Object.hasOwn(properties, 'result') ? isWrapped : undefined };
    };
  }

  async #run(
    outer: Call,
    plan: Plan,
    prefix: string,
    { beforeCall, ...options }: Pick<RunOptions, 'ms' | 'onStep'> & { beforeCall?: () => Promise<void> },
  ): Promise<Run> {
    const state = { isOver: false };
    const end = (): void => {
      state.isOver = true;
    };
    try {
      return await runSteps(plan, {
        ...options,
        work: outer.work,
        onEnd: end,
        call: async (name, args, key) => {
          await beforeCall?.();
          return outer.request.server.step(outer, { key: prefix + key }, (step) => {
            // The handler's own calls go on when its steps are over.
            const parent = step === outer ? { ...step } : step;
            this.runs.set(parent, state);
            return callToolByCode(parent, name, args);
          });
        },
      });
    } finally {
      end();
    }
  }

  /** What `result` selects and what each step did; after a failure, what came before. */
  #describe({ request }: Call, { result, failure, steps: reports, values }: Run, plan: Plan): ToolResult {
    const { server } = request;
    const { resultCharacters } = server.settings;
    const answer: JsonObject =
      failure === undefined
        ? { result: result ?? null, steps: reports as unknown as Json }
        : {
            error: describeFailure(failure),
            steps: reports as unknown as Json,
            answers: Object.fromEntries(values),
          };
    const isError = failure !== undefined && { isError: true };
    const text = writeJson(answer);
    if (text.length <= resultCharacters)
      return { content: [{ type: 'text', text }], structuredContent: answer, ...isError };
    const scopes = plan.steps.flatMap(({ call }) => scopesOf(server, call));
    const whole = writeJson(failure === undefined ? (result ?? null) : answer['answers']);
    const uri = this.answers.keep(whole, callerOf(request), scopes);
    const short: JsonObject = {
      ...(failure !== undefined && { error: describeFailure(failure) }),
      steps: reports as unknown as Json,
      note:
        uri === undefined
          ? `The result has ${whole.length} characters, which is too much to keep. Select less.`
          : `The result has ${whole.length} characters, and is kept. Select less, or read it in pages.`,
    };
    const links = uri === undefined ? [] : [linkTo(uri, whole, resultCharacters)];
    return {
      content: [{ type: 'text', text: writeJson(short) }, ...links],
      structuredContent: short,
      ...isError,
    };
  }
}

function describeFailure({ step, message }: NonNullable<Run['failure']>): string {
  return step === '' ? message : `The step ${step} failed: ${message}`;
}

function describeFaults(faults: readonly Fault[]): string {
  const lines = faults.map(({ place, message }) => `- ${place}: ${message}`);
  return ["Nothing was sent, since the steps can't be run:", ...lines].join('\n');
}
