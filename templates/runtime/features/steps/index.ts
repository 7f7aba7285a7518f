// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Steps: several calls as one tool, and programs of calls that are data. Each call goes the road of every call. */
import { isApiResult } from '../../answer.ts';
import type { Call, Caller, Feature, MethodCall } from '../../feature.ts';
import { ownMember, RpcError, writeJson } from '../../json-rpc.ts';
import { describeUnknown, errorResult } from '../../results.ts';
import type { Server } from '../../server.ts';
import { makeContext } from '../../tools.ts';
import { type Json, type JsonObject, type Outcome, ToolError } from '../../types.ts';
import { type ToolInfo, type ToolResult, UsageError } from '../../types.ts';
import { compileSchema } from '../../validate.ts';
import { type Access, mayCall, readAccess } from '../access.ts';
import type { Run } from './engine.ts';
import { isKeptUri, KeptAnswers, linkTo } from './kept-answers.ts';
import { type FindStepTool, type Plan, planSteps, STEP_LIMITS, type Steps, STEPS_SCHEMA } from './program.ts';
import { countCalls, describeFailure, describeFaults, findStepTool, refuseLate, runPlan } from './runner.ts';
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
    aroundSend: refuseLate,
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
  readonly #feature: Feature;

  constructor(feature: Feature) {
    this.#feature = feature;
  }

  async runTool(call: Call, name: string): Promise<ToolResult> {
    const access = ownMember(STEP_TOOLS, name) ?? 'read';
    const planned = await this.#plan(call, call.args as unknown as Steps, access);
    if ('faults' in planned) return errorResult(describeFaults(planned.faults));
    const { plan } = planned;
    const context = makeContext(call);
    const run = await runPlan(call, plan, {
      ms: STEP_LIMITS.ms,
      isCounted: true,
      onStep: (done, { id, status }) => context.progress(done, plan.steps.length, `${id}: ${status}`),
    });
    const { failure, steps: reports } = run;
    // The client may get a wider token, and nothing has been done that it would have to know of.
    if (failure?.cause instanceof RpcError && countCalls(reports) <= 1) throw failure.cause;
    return this.#describe(call, run, plan);
  }

  /** @param number of the run in its handler */
  async runProgram(call: Call, program: Steps, number: number): Promise<Json | undefined> {
    const [misfit] = compileSchema(STEPS_SCHEMA)(program);
    if (misfit !== undefined) throw new ToolError(`The steps can't be run: ${misfit.message}.`);
    const planned = await this.#plan(call, program, 'destructive');
    if ('faults' in planned) throw new ToolError(describeFaults(planned.faults));
    const { result, failure } = await runPlan(call, planned.plan, {
      prefix: `steps-${number}.`,
      isCounted: false,
    });
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
    const { catalog, features } = request.server;
    let items: readonly object[] = [...catalog.tools.values()];
    // The surface of search lists few of those that exist.
    for (const other of features)
      if (other !== this.#feature && other.name !== 'search')
        items = (await other.catalog?.list?.('tools', items, request)) ?? items;
    const visible = new Set(
      (items as ToolInfo[]).map(({ name }) => name).filter((name) => catalog.tools.has(name)),
    );
    return (name) => {
      const target = visible.has(name) ? findStepTool(request, name, false) : undefined;
      if (target === undefined) return { refusal: describeUnknown('tool', name, visible) };
      const effect = readAccess(target.tool.info);
      if (mayCall(access, effect)) return target;
      const what = effect === 'write' ? 'adds or changes something' : 'may change or delete something';
      const canWrite = effect === 'write' && !catalog.isReadOnly;
      const way = canWrite ? 'run_write_steps calls it.' : 'Call it by itself.';
      return { refusal: `${name} ${what}, so it is no part of these steps. ${way}` };
    };
  }

  /** What `result` selects and what each step did; after a failure, what came before. */
  #describe({ request }: Call, { result = null, failure, steps, values }: Run, plan: Plan): ToolResult {
    const { server } = request;
    const { resultCharacters } = server.settings;
    const reports = steps as unknown as Json;
    const error = failure && describeFailure(failure);
    const before = Object.fromEntries(values);
    const describe = (answer: JsonObject): ToolResult => ({
      content: [{ type: 'text', text: writeJson(answer) }],
      structuredContent: answer,
      ...(error !== undefined && { isError: true }),
    });
    const whole: JsonObject =
      error === undefined ? { result, steps: reports } : { error, steps: reports, answers: before };
    const described = describe(whole);
    if (writeJson(whole).length <= resultCharacters) return described;
    const text = writeJson(error === undefined ? result : before);
    const scopes = plan.steps.flatMap(({ call }) => scopesOf(server, call));
    const uri = this.answers.keep(text, callerOf(request), scopes);
    const way =
      uri === undefined
        ? 'which is too much to keep. Select less.'
        : 'and is kept. Select less, or read it in pages.';
    const note = `The result has ${text.length} characters, ${way}`;
    const short = describe({ ...(error !== undefined && { error }), steps: reports, note });
    if (uri !== undefined) short.content.push(linkTo(uri, text, resultCharacters));
    return short;
  }
}
