// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Steps: several calls as one tool, and programs of calls that are data. Each call goes the road of every call. */
import { isApiResult } from '../../answer.ts';
import type { Call, Feature } from '../../feature.ts';
import { ownMember, writeJson } from '../../json-rpc.ts';
import type { Server } from '../../server.ts';
import { type Json, type JsonObject, type Outcome, ToolError } from '../../types.ts';
import { type ToolInfo, type ToolResult, UsageError } from '../../types.ts';
import { compileSchema } from '../../validate.ts';
import { type Access, mayCall, readAccess } from '../access.ts';
import { hasResources } from '../resources.ts';
import { Engine, findStepTool, type Run, watchSending } from './engine.ts';
import { sizeOf } from './evaluate.ts';
import { isKeptUri, KeptAnswers } from './kept-answers.ts';
import { type Plan, planSteps, STEP_LIMITS, type Steps, STEPS_SCHEMA } from './program.ts';
import { STEP_TOOLS } from './tools.ts';

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
    capabilities: ({ catalog }) => (hasResources(catalog) ? {} : { resources: {} }),
    catalog: {
      select: ({ tools }) => {
        for (const name of Object.keys(STEP_TOOLS))
          if (tools.has(name))
            throw new UsageError(`The tool ${name} needs another name: the server's own tool runs steps.`);
      },
      list: (list, items, { server }) => (list === 'tools' ? [...items, ...listStepTools(server)] : items),
      find: (kind, name, method) => {
        if (kind === 'resource' && isKeptUri(name))
          return { item: { name: 'whole answer', uri: name }, run: () => answers.readPage(name, method) };
        const item = listStepTools(method.server).find((tool) => kind === 'tool' && tool.name === name);
        return item && { item, run: (call) => runTool(answers, call) };
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
  return Object.values(STEP_TOOLS).flatMap(({ access, info }) =>
    catalog.isReadOnly && access !== 'read' ? [] : info,
  );
}

/** The client gets a part of it, and a link to the whole. */
function keepLarge(answers: KeptAnswers, call: Call, outcome: Outcome): Outcome {
  const { resultCharacters: limit } = call.request.server.settings;
  const result = outcome.result as ToolResult;
  const [first] = result.content as ToolResult['content'] | [];
  if (first?.type !== 'text' || first.text.length <= limit || !isApiResult(result)) return outcome;
  const link = answers.keep(first.text, [call.name], call.request) ?? [];
  return { ...outcome, result: { ...result, content: result.content.concat(link) } };
}

async function runTool(answers: KeptAnswers, call: Call): Promise<ToolResult> {
  const { access = 'read' } = ownMember(STEP_TOOLS, call.name) ?? {};
  const plan = makePlan(answers, call, call.args as unknown as Steps, access);
  const engine = new Engine(call, plan, { isTool: true, ms: STEP_LIMITS.ms });
  return describe(answers, call, await engine.run(), plan);
}

/** @param number of the run in its handler */
async function runProgram(answers: KeptAnswers, call: Call, program: Steps, number: number) {
  const [misfit] = compileSchema(STEPS_SCHEMA)(program);
  if (misfit !== undefined) throw new ToolError(`The steps can't be run: ${misfit.message}.`);
  const plan = makePlan(answers, call, program, 'destructive');
  const { result, failure } = await new Engine(call, plan, { prefix: `steps-${number}.` }).run();
  if (failure !== undefined) throw new ToolError(failure);
  return result;
}

function makePlan(answers: KeptAnswers, { request }: Call, program: Steps, access: Access): Plan {
  const inputs = Object.entries(program.inputs ?? {});
  const wholeAnswers = answers.readWhole(inputs.map(([, value]) => value).filter(isKeptUri), request);
  const values = inputs.map(([name, value]) => [name, isKeptUri(value) ? wholeAnswers.get(value) : value]);
  const withInputs = { ...program, inputs: Object.fromEntries(values) as JsonObject };
  return planSteps(
    withInputs,
    (name) => {
      const target = findStepTool(request, name, false);
      const effect = 'tool' in target ? readAccess(target.tool.info) : 'read';
      if (mayCall(access, effect)) return target;
      const what = effect === 'write' ? 'adds or changes something' : 'may change or delete something';
      const canWrite = effect === 'write' && !request.server.catalog.isReadOnly;
      const way = canWrite ? 'run_write_steps calls it.' : 'Call it by itself.';
      return { refusal: `${name} ${what}, so it is no part of these steps. ${way}` };
    },
    request.server.settings,
  );
}

/** What `result` selects and what each step did; after a failure, what came before. */
function describe(
  answers: KeptAnswers,
  { request }: Call,
  { result = null, failure: error, steps: reports, values }: Run,
  { steps: planned }: Plan,
): ToolResult {
  const { resultCharacters } = request.server.settings;
  const wrap = (members: object): ToolResult => {
    const answer = { ...(error && { error }), ...members } as JsonObject;
    const content: ToolResult['content'] = [{ type: 'text', text: writeJson(answer) }];
    return { content, structuredContent: answer, ...(error && { isError: true }) };
  };
  const value = (error ? Object.fromEntries(values) : result) as Json;
  // A million items take too long to be written.
  if (sizeOf(value, STEP_LIMITS.resultCharacters) === Infinity)
    return wrap({ steps: reports, note: 'The answers are too long to be kept. Select less.' });
  const text = writeJson(value);
  if (text.length + writeJson(reports).length <= resultCharacters)
    return wrap(error ? { steps: reports, answers: value } : { result, steps: reports });
  const tools = planned.map(({ call }) => call);
  const link = answers.keep(text, tools, request);
  const way = link === undefined ? 'there is no room for it.' : 'is kept. Select less, or read it in pages.';
  const short = wrap({ steps: reports, note: `The result has ${text.length} characters, and ${way}` });
  return { ...short, content: short.content.concat(link ?? []) };
}
