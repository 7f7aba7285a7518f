// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Runs steps within a call. Each of their calls goes the road of every call, and none is sent when they are over. */
import type { Call, Feature, MethodCall } from '../../feature.ts';
import { ownMember, writeJson } from '../../json-rpc.ts';
import { callToolByCode, findTool } from '../../tools.ts';
import { ToolError } from '../../types.ts';
import { confirmedArguments, readAccess } from '../access.ts';
import { type Run, type RunOptions, runSteps } from './engine.ts';
import { type Plan, readWrapping, type StepTool } from './program.ts';
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
export function findStepTool(request: MethodCall, name: string, isWorkflow: boolean): StepTool | undefined {
  const { server } = request;
  const tool = server.catalog.tools.has(name) ? findTool(server, name, request) : undefined;
  if (tool === undefined) return undefined;
  const isWrapped = readWrapping(tool.info.outputSchema, ownMember(server.bindings.tools, name)?.do);
  const access = readAccess(tool.info);
  return {
    ...{ tool, isWrapped },
    asks: isWorkflow && access === 'destructive',
    isRepeatable: isWorkflow && access === 'read',
  };
}

/** `isCounted`: calls count for the limit of the client, whose own call has been counted. */
export async function runPlan(
  outer: Call,
  plan: Plan,
  { prefix = '', isCounted, ...options }: PlanRun,
): Promise<Run> {
  const { server, session } = outer.request;
  const state = { isOver: false };
  const end = (): void => {
    state.isOver = true;
  };
  let calls = 0;
  try {
    return await runSteps(plan, {
      ...options,
      work: outer.work,
      onEnd: end,
      call: async ({ name, args }, key, { asks, isRepeatable }, check) => {
        if (isCounted && ++calls > 1) await server.count(session.client);
        const run = async (step: Call) => {
          // The handler's own calls go on when its steps are over.
          const parent = step === outer ? { ...step } : step;
          runs.set(parent, state);
          if (asks) confirmedArguments.set(parent, writeJson(args));
          const result = await callToolByCode(parent, name, args);
          check(result);
          return result;
        };
        return isRepeatable ? run(outer) : server.step(outer, { key: prefix + key }, run);
      },
    });
  } finally {
    end();
  }
}

interface PlanRun extends Pick<RunOptions, 'ms' | 'onStep' | 'confirm'> {
  prefix?: string;
  isCounted: boolean;
}

/** Also one that failed. */
export function countCalls(reports: Run['steps']): number {
  return reports.reduce((sum, { calls }) => sum + calls, 0);
}

export function describeFailure({ step, message }: NonNullable<Run['failure']>): string {
  return step === '' ? message : `The step ${step} failed: ${message}`;
}

export function describeFaults(faults: readonly Fault[]): string {
  const lines = faults.map(({ place, message }) => `- ${place}: ${message}`);
  return ["Nothing was sent, since the steps can't be run:", ...lines].join('\n');
}
