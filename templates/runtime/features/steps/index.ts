// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Steps: several calls as one tool, and programs of calls that are data. Each call goes the road of every call. */
import { isApiResult } from '../../answer.ts';
import type { Call, Caller, Feature, MethodCall } from '../../feature.ts';
import { ownMember, writeJson } from '../../json-rpc.ts';
import { errorResult } from '../../results.ts';
import type { Server } from '../../server.ts';
import { type Json, type JsonObject, type Outcome, ToolError } from '../../types.ts';
import { type ToolInfo, type ToolResult, UsageError } from '../../types.ts';
import { compileSchema } from '../../validate.ts';
import { type Access, mayCall, readAccess } from '../access.ts';
import type { Run } from './engine.ts';
import { isWithin } from './evaluate.ts';
import { isKeptUri, KeptAnswers, linkTo } from './kept-answers.ts';
import { type FindStepTool, type Plan, planSteps, STEP_LIMITS, type Steps, STEPS_SCHEMA } from './program.ts';
import { describeFailure, describeFaults, findStepTool, watchSending, runPlan } from './runner.ts';
import { READ_TOOL, STEP_TOOLS, WRITE_TOOL } from './tools.ts';

declare module '../../types.ts' {
  interface Context {
    /** Calls several tools by steps, also such as may destroy. Returns what `result` selects. @throws {ToolError} */
    run(steps: StepsProgram): Promise<Json | undefined>;
  }
  type StepsProgram = Steps;
}

export function steps(): Feature {
  const answers = new KeptAnswers();
  return {
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
        if (kind === 'resource' && isKeptUri(name)) return findAnswer(answers, name, method);
        const item =
          kind === 'tool' ? listStepTools(method.server).find((tool) => tool.name === name) : undefined;
        return item && { item, run: (call) => runTool(answers, call, name) };
      },
    },
    aroundCall: {
      observe: async (call, next) => {
        const outcome = await next();
        const isOfClient = call.kind === 'tool' && call.origin === 'client';
        return isOfClient ? keepLarge(answers, call, outcome) : outcome;
      },
    },
    aroundSend: watchSending,
    context: (call) => {
      let count = 0;
      return { run: (program: Steps) => runProgram(answers, call, program, ++count) };
    },
  };
}

function listStepTools({ catalog }: Server): ToolInfo[] {
  return catalog.isReadOnly ? [READ_TOOL] : [READ_TOOL, WRITE_TOOL];
}

function callerOf({ exchange, session }: MethodCall): Caller | undefined {
  return exchange.caller ?? session.caller;
}

// Kept answers.

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

// Programs.

async function runTool(answers: KeptAnswers, call: Call, name: string): Promise<ToolResult> {
  const program = call.args as unknown as Steps;
  const planned = plan(answers, call, program, ownMember(STEP_TOOLS, name) ?? 'read');
  if ('faults' in planned) return errorResult(describeFaults(planned.faults));
  const run = await runPlan(call, planned.plan, { isTool: true, ms: STEP_LIMITS.ms });
  return describe(answers, call, run, planned.plan);
}

/** @param number of the run in its handler */
async function runProgram(
  answers: KeptAnswers,
  call: Call,
  program: Steps,
  number: number,
): Promise<Json | undefined> {
  const [misfit] = compileSchema(STEPS_SCHEMA)(program);
  if (misfit !== undefined) throw new ToolError(`The steps can't be run: ${misfit.message}.`);
  const planned = plan(answers, call, program, 'destructive');
  if ('faults' in planned) throw new ToolError(describeFaults(planned.faults));
  const { result, failure } = await runPlan(call, planned.plan, { prefix: `steps-${number}.` });
  if (failure !== undefined) throw new ToolError(describeFailure(failure));
  return result;
}

function plan(answers: KeptAnswers, { request }: Call, program: Steps, access: Access) {
  const inputs = Object.entries(program.inputs ?? {});
  const uris = inputs.map(([, value]) => value).filter(isKeptUri);
  const wholeAnswers = answers.readWhole(new Set(uris), callerOf(request));
  const values = inputs.map(([name, value]) => [name, isKeptUri(value) ? wholeAnswers.get(value) : value]);
  const find: FindStepTool = (name) => {
    const target = findStepTool(request, name, false);
    const effect = 'tool' in target ? readAccess(target.tool.info) : 'read';
    if (mayCall(access, effect)) return target;
    const what = effect === 'write' ? 'adds or changes something' : 'may change or delete something';
    const canWrite = effect === 'write' && !request.server.catalog.isReadOnly;
    const way = canWrite ? 'run_write_steps calls it.' : 'Call it by itself.';
    return { refusal: `${name} ${what}, so it is no part of these steps. ${way}` };
  };
  const withInputs = { ...program, inputs: Object.fromEntries(values) as JsonObject };
  return planSteps(withInputs, find, request.server.settings);
}

/** What `result` selects and what each step did; after a failure, what came before. */
function describe(
  answers: KeptAnswers,
  { request }: Call,
  { result = null, failure, steps: reports, values }: Run,
  { steps: planned }: Plan,
): ToolResult {
  const { server } = request;
  const { resultCharacters } = server.settings;
  const error = failure && { error: describeFailure(failure) };
  const wrap = (members: object): ToolResult => {
    const answer = { ...error, ...members } as JsonObject;
    const content: ToolResult['content'] = [{ type: 'text', text: writeJson(answer) }];
    return { content, structuredContent: answer, ...(error && { isError: true }) };
  };
  const value = (error ? Object.fromEntries(values) : result) as Json;
  // A million items take too long to be written.
  if (!isWithin(value, STEP_LIMITS.resultCharacters))
    return wrap({ steps: reports, note: 'The answers are too long to be kept. Select less.' });
  const text = writeJson(value);
  if (text.length + writeJson(reports).length <= resultCharacters)
    return wrap(error ? { steps: reports, answers: value } : { result, steps: reports });
  const scopes = planned.flatMap(({ call }) => scopesOf(server, call));
  const uri = answers.keep(text, callerOf(request), scopes);
  const way = uri === undefined ? 'there is no room for it.' : 'is kept. Select less, or read it in pages.';
  const short = wrap({ steps: reports, note: `The result has ${text.length} characters, and ${way}` });
  if (uri !== undefined) short.content.push(linkTo(uri, text, resultCharacters));
  return short;
}
