/** Prints `src/generated/functions.ts`: where the functions are that bindings name. */
import type { FunctionBinding } from '../../templates/runtime/bindings.ts';
import type { ServerModel } from '../model/server-model.ts';
import { quote } from './quote.ts';
import type { Code } from './templates/open-templates.ts';

/** From `src/generated/`, and from `dist/generated/`. */
const RUNTIME = '../runtime/';

const COMMENT = '/** The code that does the work; each part is loaded with the first call that needs it. */';

export function printFunctions(model: ServerModel, header: string): Code {
  const modules = modulesOf(model);
  const source = modules
    .map((path) => `    ${quote(path)}: () => import(${quote(`../${path}`)}),\n`)
    .join('');
  // As tsc prints it: what it rewrites it quotes anew.
  const built = modules
    .map((path) => `        ${quote(path)}: () => import(${JSON.stringify(`../${builtModule(path)}`)}),\n`)
    .join('');
  return {
    source:
      `// ${header}\n\nimport type { FunctionModules } from '${RUNTIME}definition.ts';\n\n${COMMENT}\n` +
      `export const functions: FunctionModules = {\n  runtime: () => import('${RUNTIME}functions/index.ts'),\n` +
      `  modules: {\n${source}  },\n};\n`,
    built:
      `// ${header}\n${COMMENT}\nexport const functions = {\n` +
      `    runtime: () => import("${RUNTIME}functions/index.js"),\n    modules: {\n${built}    },\n};\n`,
  };
}

function builtModule(path: string): string {
  return path.replace(/\.([mc]?)tsx?$/, '.$1js').replace(/\.jsx$/, '.js');
}

/** Sorted, each once. */
function modulesOf({ tools, resources, resourceTemplates, prompts, completions }: ServerModel): string[] {
  const work: { kind: string }[] = [
    ...tools.map(({ binding }) => binding),
    ...[...resources, ...resourceTemplates].map(({ binding }) => binding.do),
    ...prompts.map(({ binding }) => binding),
    ...completions.map(({ from }) => from),
  ];
  return [...new Set(work.filter(isFunction).map(({ module }) => module))].sort();
}

function isFunction(binding: { kind: string }): binding is FunctionBinding {
  return binding.kind === 'function';
}
