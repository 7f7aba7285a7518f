/** The parts of the runtime that do the work of calls; each loads with the first call that needs it. */
import { withoutFeature } from '../contract/feature.ts';
import type { BoundFunctions, FunctionModules } from '../definition.ts';
import type { ServerInstance } from './server-instance.ts';
import { toolsOf } from './tools/tool-entry.ts';
import type { BoundUpstream } from '../upstream-part.ts';

export async function loadFunctions(server: ServerInstance): Promise<BoundFunctions> {
  return (server.cache.functions ??= server.readMock === undefined ? openModules(server) : openMock(server));
}

async function openModules({ functions, bindings, report }: ServerInstance): Promise<BoundFunctions> {
  const { runtime, modules } = requireFunctions(functions);
  const [{ openFunctions }, { codecs }] = await Promise.all([runtime(), bindings()]);
  return openFunctions(modules, codecs, report);
}

async function openMock(server: ServerInstance): Promise<BoundFunctions> {
  const { mockFunctions } = server.features;
  if (mockFunctions === undefined) throw new Error(withoutFeature('mock'));
  return (await mockFunctions()).mockFunctions((tool) => toolsOf(server).get(tool)?.listed.outputSchema);
}

function requireFunctions(functions: FunctionModules | undefined): FunctionModules {
  if (functions === undefined) throw new Error('The server has no functions, but a binding names one.');
  return functions;
}

export async function loadUpstream(server: ServerInstance): Promise<BoundUpstream> {
  return (server.cache.upstream ??= openApis(server));
}

async function openApis(server: ServerInstance): Promise<BoundUpstream> {
  const { api } = server.features;
  if (api === undefined) throw new Error('The server has no API, but a binding calls one.');
  return (await api()).openUpstream(server);
}
