// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Runs steps within a call. Each of their calls goes the road of every call, and none is sent when they are over. */
import { statusOf } from '../../answer.ts';
import type { Call, Feature, MethodCall } from '../../feature.ts';
import { ownMember, RpcError, writeJson } from '../../json-rpc.ts';
import { describeUnknown } from '../../results.ts';
import type { Server } from '../../server.ts';
import { callToolByCode, findTool, makeContext } from '../../tools.ts';
import { type SchemaObject, ToolError, type ToolResult } from '../../types.ts';
import { confirmedArguments, readAccess } from '../access.ts';
import { findOperation, runOperation } from '../operations.ts';
import { type CallAnswer, type Run, type RunOptions, runSteps } from './engine.ts';
import { type FindStepTool, type Plan, readWrapping } from './program.ts';
import type { Fault } from './shapes.ts';

/** Calls that steps make, with the status of the API's last answer, and whether their run is over. */
const madeCalls = new WeakMap<Call, { run: { isOver: boolean }; status?: number }>();

/** Nothing is sent when the steps that made a call are over. */
export const watchSending: NonNullable<Feature['aroundSend']> = async (call, _, next) => {
  let made: { status?: number } | undefined;
  for (let outer: Call | undefined = call; outer !== undefined; outer = outer.parent) {
    const state = madeCalls.get(outer);
    if (state?.run.isOver === true)
      throw new ToolError('Nothing was sent: the steps that made this call are over.');
    made ??= state;
  }
  const answer = await next();
  if (made !== undefined) made.status = answer.status;
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
    return { tool, isWrapped: undefined, asks: !isReading, isRepeatable: isReading };
  }
  const tool = tools.has(name) ? findTool(server, name, request) : undefined;
  if (tool === undefined) return { refusal: describeUnknown('tool', name, tools.keys()) };
  const isWrapped = readWrapping(tool.info.outputSchema, ownMember(server.bindings.tools, name)?.do);
  const access = readAccess(tool.info);
  return {
    ...{ tool, isWrapped },
    asks: isWorkflow && access === 'destructive',
    isRepeatable: isWorkflow && access === 'read',
  };
}

interface PlanRun extends Pick<RunOptions, 'ms' | 'confirm'> {
  /** Of the keys of calls. */
  prefix?: string;
  /** The call is that of a client: it hears of progress, and calls beside its own count for its limit. */
  isTool?: boolean;
}

/** @throws {RpcError} a refusal by the protocol, of which the client has to know nothing else */
export async function runPlan(
  outer: Call,
  plan: Plan,
  { prefix = '', isTool = false, ...options }: PlanRun,
): Promise<Run> {
  const { server, session } = outer.request;
  const context = makeContext(outer);
  const state = { isOver: false };
  const end = (): void => {
    state.isOver = true;
  };
  let calls = 0;
  const call: RunOptions['call'] = async ({ name, args }, key, { asks, isRepeatable }) => {
    if (++calls > 1 && isTool) await server.count(session.client);
    const run = async (step: Call): Promise<CallAnswer> => {
      // The handler's own calls go on when its steps are over.
      const parent = step === outer ? { ...step } : step;
      const made: { run: typeof state; status?: number } = { run: state };
      madeCalls.set(parent, made);
      if (asks) confirmedArguments.set(parent, writeJson(args));
      const operation = findUnlisted(server, name);
      const result = operation
        ? await runOperation(parent, operation, args).then((outcome) => outcome.result as ToolResult)
        : await callToolByCode(parent, name, args);
      return { result, status: statusOf(result) ?? made.status };
    };
    return isRepeatable ? run(outer) : server.step(outer, { key: prefix + key }, run);
  };
  const run = await runSteps(plan, {
    ...options,
    ...{ work: outer.work, call, onEnd: end },
    onStep: async (done, { id, status }) => {
      if (isTool) await context.progress(done, plan.steps.length, `${id}: ${status}`);
    },
  }).finally(end);
  // The client may get a wider token.
  if (run.failure?.cause instanceof RpcError && (!isTool || calls <= 1)) throw run.failure.cause;
  return run;
}

export function describeFailure({ step, message }: NonNullable<Run['failure']>): string {
  return step === '' ? message : `The step ${step} failed: ${message}`;
}

export function describeFaults(faults: readonly Fault[]): string {
  const lines = faults.map(({ place, message }) => `- ${place}: ${message}`);
  return ["Nothing was sent, since the steps can't be run:", ...lines].join('\n');
}
