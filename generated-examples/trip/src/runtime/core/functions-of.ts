import type { BoundFunctions, FunctionModules } from '../definition.ts';
import type { Project } from './project.ts';
import { toolsOf } from './tools/tool-parts.ts';

/** What calls the project's functions; the part of the runtime for it loads with the first call of one. */
export async function functionsOf(project: Project): Promise<BoundFunctions> {
  return (project.parts.functions ??= project.readMock === undefined ? open(project) : mock(project));
}

async function open({ functions, bindings, report }: Project): Promise<BoundFunctions> {
  const { runtime, modules } = given(functions);
  const [{ openFunctions }, { codecs }] = await Promise.all([runtime(), bindings()]);
  return openFunctions(modules, codecs, report);
}

async function mock(project: Project): Promise<BoundFunctions> {
  const { mockFunctions } = await given(project.functions).runtime();
  return mockFunctions((tool) => toolsOf(project).get(tool)?.listed.outputSchema);
}

function given(functions: FunctionModules | undefined): FunctionModules {
  if (functions === undefined) throw new Error('The server has no functions, but a binding names one.');
  return functions;
}
