/** Prints `src/generated/functions.ts`, which loads the functions that bindings name. */
import type { FunctionBinding } from '../../templates/runtime/contract/bindings.ts';
import type { ServerModel } from '../model/server-model.ts';
import { quoteString } from './print-literals.ts';
import type { Code } from './templates/open-templates.ts';
import type { FunctionModules } from '../../templates/runtime/definition.ts';

/** The path to the runtime from `src/generated/`, and from `dist/generated/`. */
const RUNTIME = '../runtime/';

const COMMENT = '/** The code that does the work, loaded when the server starts. */';

const LINKED =
  '/** The code that does the work, built from its own folder, and loaded when the server starts. */';

export function printFunctions(model: ServerModel, header: string, isBundled: boolean): Code {
  const modules = listFunctionModules(model);
  const source = modules
    .map((path) => `    ${quoteString(path)}: () => import(${quoteString(`../${path}`)}),\n`)
    .join('');
  // Double quotes, as tsc prints specifiers that it rewrites.
  const built = modules
    .map(
      (path) =>
        `        ${quoteString(path)}: () => import(${JSON.stringify(`../${builtModulePath(path)}`)}),\n`,
    )
    .join('');
  const traits = printTraits(model);
  const runtime = printFunctionsLoader(isBundled);
  return {
    source:
      `// ${header}\n\nimport type { FunctionModules } from '${RUNTIME}definition.ts';\n${runtime.imports}\n${COMMENT}\n` +
      `export const functions: FunctionModules = {\n  runtime: ${runtime.source},\n` +
      `  modules: {\n${source}  },\n${traits('  ')}};\n`,
    built:
      `// ${header}\n${runtime.imports}${COMMENT}\nexport const functions = {\n` +
      `    runtime: ${runtime.built},\n    modules: {\n${built}    },\n${traits('    ')}};\n`,
  };
}

/** Linked code is not copied into the project: both `src/` and `dist/` import its build. */
export function printLinkedFunctions(model: ServerModel, header: string, isBundled: boolean): Code {
  const printModuleUrls = (indent: string): string =>
    listFunctionModules(model)
      .map((path) => {
        const url = `new URL(${quoteString(`../../dist/${builtModulePath(path)}`)}, import.meta.url)`;
        return `${indent}${quoteString(path)}: () => import(${url}.href),\n`;
      })
      .join('');
  const traits = printTraits(model);
  const runtime = printFunctionsLoader(isBundled);
  return {
    source:
      `// ${header}\n\nimport type { FunctionModules } from '${RUNTIME}definition.ts';\n${runtime.imports}\n${LINKED}\n` +
      `export const functions: FunctionModules = {\n  runtime: ${runtime.source},\n` +
      `  modules: {\n${printModuleUrls('    ')}  },\n${traits('  ')}};\n`,
    built:
      `// ${header}\n${runtime.imports}${LINKED}\nexport const functions = {\n` +
      `    runtime: ${runtime.built},\n    modules: {\n${printModuleUrls('        ')}    },\n${traits('    ')}};\n`,
  };
}

/** Prints the loader of the runtime module that calls functions. */
function printFunctionsLoader(isBundled: boolean): { imports: string; source: string; built: string } {
  if (isBundled)
    return {
      imports: `import { loaders } from '${RUNTIME}start.js';\n`,
      source: 'loaders.functions',
      built: 'loaders.functions',
    };
  return {
    imports: '',
    source: `() => import('${RUNTIME}functions/index.ts')`,
    built: `() => import("${RUNTIME}functions/index.js")`,
  };
}

function builtModulePath(path: string): string {
  return path.replace(/\.([mc]?)tsx?$/, '.$1js').replace(/\.jsx$/, '.js');
}

export function findFunctionTraits({
  resourceTemplates,
  started = [],
}: ServerModel): Pick<FunctionModules, 'lists' | 'started'> {
  return {
    ...(resourceTemplates.some(({ binding }) => binding.list !== undefined) ? { lists: true } : {}),
    ...(started.length === 0 ? {} : { started: true }),
  };
}

function printTraits(model: ServerModel): (indent: string) => string {
  const names = Object.keys(findFunctionTraits(model));
  return (indent) => names.map((name) => `${indent}${name}: true,\n`).join('');
}

/** Lists the modules that bindings name, by path below `src/`: sorted, each once. */
export function listFunctionModules({
  tools,
  resources,
  resourceTemplates,
  prompts,
  completions,
  started = [],
}: ServerModel): string[] {
  const work: { kind: string }[] = [
    ...tools.flatMap(({ binding, prepare }) => [binding, prepare ?? []].flat()),
    ...[...resources, ...resourceTemplates].flatMap(({ binding }) => [binding.do, binding.list ?? []].flat()),
    ...prompts.map(({ binding }) => binding),
    ...completions.map(({ from }) => from),
    ...started,
  ];
  const modules = work
    .filter(isFunctionBinding)
    .flatMap(({ module, checks = [] }) => [module, ...checks.map((check) => check.module)]);
  return [...new Set(modules)].sort();
}

function isFunctionBinding(binding: { kind: string }): binding is FunctionBinding {
  return binding.kind === 'function';
}
