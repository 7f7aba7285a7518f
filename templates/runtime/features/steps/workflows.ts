// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Workflows: steps that the compiler has checked, each as a tool. */
import type { Call, Feature } from '../../feature.ts';
import { writeJson } from '../../json-rpc.ts';
import { errorResult } from '../../results.ts';
import { type Args, type Binding, type Json, type JsonObject, type Outcome, ToolError } from '../../types.ts';
import type { AskForCalls } from '../confirm.ts';
import { Engine, findStepTool, watchSending } from './engine.ts';
import { planSteps, type Step, type Steps } from './program.ts';

export function workflows(): Feature {
  return {
    name: 'workflows',
    catalog: {
      // A workflow goes with the tools that it calls. The names of tools have no colon.
      select: (catalog, { bindings }) => {
        const isThere = ({ call }: Step): boolean => call.includes(':') || catalog.tools.has(call);
        for (const [name, { do: work }] of Object.entries(bindings.tools))
          if (work.kind === 'steps' && !stepsOf(work).every(isThere)) catalog.tools.delete(name);
      },
    },
    aroundSend: watchSending,
    work: { steps: { tool: runWorkflow } },
  };
}

function stepsOf(binding: Binding): Steps['steps'] {
  return (binding as unknown as Steps).steps;
}

async function runWorkflow(call: Call, binding: Binding, args: Args): Promise<Outcome> {
  const { name, request } = call;
  const { catalog, settings } = request.server;
  const { inputSchema = {} } = catalog.tools.get(name) ?? {};
  const defaults = Object.entries(inputSchema.properties ?? {}).flatMap(([input, schema]) =>
    typeof schema === 'object' && 'default' in schema ? [[input, schema['default']]] : [],
  );
  const inputs = { ...(Object.fromEntries(defaults) as Args), ...args };
  const plan = planSteps(
    { steps: stepsOf(binding), result: binding['result'], inputs },
    (target) => findStepTool(request, target, true),
    { repairs: settings.repairs, inputSchema },
  );
  const confirm = async (calls: Parameters<AskForCalls>[1]): Promise<void> => {
    const [ask] = Object.values(request.server.parts<AskForCalls>('confirm'));
    if (ask === undefined) throw new ToolError(`${name} needs the feature confirm, to ask its user.`);
    if (!(await ask(call, calls))) throw new ToolError('The user did not confirm its calls.');
  };
  const engine = new Engine(call, plan, { isTool: true, confirm });
  const { result = null, failure: error, steps } = await engine.run();
  if (error === undefined) {
    const text = typeof result === 'string' ? result : writeJson(result);
    return { result: { content: [{ type: 'text', text }], structuredContent: result } };
  }
  const report: JsonObject = { error, steps: steps as unknown as Json };
  return { result: { ...errorResult(writeJson(report)), structuredContent: report }, cause: 'handler' };
}
