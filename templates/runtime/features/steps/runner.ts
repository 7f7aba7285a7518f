// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Runs steps within a call. Each of their calls goes the road of every call, and none is sent when they are over. */
import type { Call, Feature, MethodCall } from '../../feature.ts';
import { ownMember, RpcError, writeJson } from '../../json-rpc.ts';
import { describeUnknown } from '../../results.ts';
import { callToolByCode, findTool, makeContext } from '../../tools.ts';
import { ToolError, type ToolResult } from '../../types.ts';
import { confirmedArguments, readAccess } from '../access.ts';
import { type Run, type RunOptions, runSteps } from './engine.ts';
import { type FindStepTool, type Plan, readWrapping } from './program.ts';
import type { Fault } from './shapes.ts';

/** Calls that steps make, and whether their run is over. */
const runs = new WeakMap<Call, { isOver: boolean }>();

export const refuseLate: NonNullable<Feature['aroundSend']> = (call, _, next) => {
  for (let outer: Call | undefined = call; outer !== undefined; outer = outer.parent)
    if (runs.get(outer)?.isOver === true)
      throw new ToolError('Nothing was sent: the steps that made this call are over.');
  return next();
};

/** @param isWorkflow the user confirms calls that may destroy, before the first of them */
export function findStepTool(
  request: MethodCall,
  name: string,
  isWorkflow: boolean,
): ReturnType<FindStepTool> {
  const { server } = request;
  const { tools } = server.catalog;
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
  const call: RunOptions['call'] = async ({ name, args }, key, { asks, isRepeatable }, check) => {
    if (++calls > 1 && isTool) await server.count(session.client);
    const run = async (step: Call): Promise<ToolResult> => {
      // The handler's own calls go on when its steps are over.
      const parent = step === outer ? { ...step } : step;
      runs.set(parent, state);
      if (asks) confirmedArguments.set(parent, writeJson(args));
      const result = await callToolByCode(parent, name, args);
      check(result);
      return result;
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
