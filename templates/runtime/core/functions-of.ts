import type { BoundFunctions, FunctionModules } from '../definition.ts';
import type { ServerInstance } from './server-instance.ts';
import { toolsOf } from './tools/tool-parts.ts';

/** What calls the project's functions; the part of the runtime for it loads with the first call of one. */
export async function functionsOf(server: ServerInstance): Promise<BoundFunctions> {
  return (server.cache.functions ??= server.readMock === undefined ? open(server) : mock(server));
}

async function open({ functions, bindings, report }: ServerInstance): Promise<BoundFunctions> {
  const { runtime, modules } = given(functions);
  const [{ openFunctions }, { codecs }] = await Promise.all([runtime(), bindings()]);
  return openFunctions(modules, codecs, report);
}

async function mock(server: ServerInstance): Promise<BoundFunctions> {
  const { mockFunctions } = await given(server.functions).runtime();
  return mockFunctions((tool) => toolsOf(server).get(tool)?.listed.outputSchema);
}

function given(functions: FunctionModules | undefined): FunctionModules {
  if (functions === undefined) throw new Error('The server has no functions, but a binding names one.');
  return functions;
}
