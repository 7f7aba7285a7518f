/** Prints `src/generated/functions.ts`, which loads the functions that bindings name. */
import type { FunctionBinding } from '../../templates/runtime/contract/bindings.ts';
import type { ServerModel } from '../model/server-model.ts';
import { quoteString } from './print-literals.ts';
import type { Code } from './templates/open-templates.ts';
import type { FunctionModules } from '../../templates/runtime/definition.ts';

const COPIED = '/** The code that does the work, loaded when the server starts. */';
const LINKED =
  '/** The code that does the work, built from its own folder, and loaded when the server starts. */';

/** @param isLinked the code is not copied into the project: both `src/` and `dist/` import its build */
export function printFunctions(model: ServerModel, header: string, isLinked: boolean): Code {
  const traits = Object.keys(findFunctionTraits(model));
  const comment = isLinked ? LINKED : COPIED;
  // Double quotes, as tsc prints specifiers that it rewrites.
  const printBody = (
    indent: string,
    quote: (text: string) => string,
    pathOf: (path: string) => string,
  ): string => {
    const modules = listFunctionModules(model).map((path) => {
      const url = `new URL(${quoteString(`../../dist/${builtModulePath(path)}`)}, import.meta.url).href`;
      return `${indent}${indent}${quoteString(path)}: () => import(${isLinked ? url : quote(`../${pathOf(path)}`)}),\n`;
    });
    const runtime = `() => import(${quote(`../runtime/${pathOf('functions/index.ts')}`)})`;
    const marks = traits.map((name) => `${indent}${name}: true,\n`);
    return `${indent}runtime: ${runtime},\n${indent}modules: {\n${modules.join('')}${indent}},\n${marks.join('')}};\n`;
  };
  return {
    source:
      `// ${header}\n\nimport type { FunctionModules } from ${quoteString('../runtime/definition.ts')};\n\n${comment}\n` +
      `export const functions: FunctionModules = {\n${printBody('  ', quoteString, (path) => path)}`,
    built: `// ${header}\n${comment}\nexport const functions = {\n${printBody('    ', JSON.stringify, builtModulePath)}`,
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
