/** Prints `src/generated/functions.ts`, which loads the functions that bindings name. */
import type { FunctionBinding } from '../model/bindings.ts';
import type { ServerModel } from '../model/server-model.ts';
import { quoteString } from './print-literals.ts';
import type { EmitOptions } from './emit-options.ts';
import type { Language } from './templates/helpers.ts';

/** Each module of functions, and the code of `src/server.ts` that loads it. */
export function listFunctionLoaders(
  model: ServerModel,
  { link = false }: Pick<EmitOptions, 'link'>,
  language: Language,
): { path: string; load: string }[] {
  // Double quotes, as tsc prints specifiers that it rewrites.
  const quote = language === 'ts' ? quoteString : JSON.stringify;
  return listFunctionModules(model).map((path) => {
    const built = path.replace(/\.([mc]?)tsx?$/, '.$1js').replace(/\.jsx$/, '.js');
    if (link)
      return { path, load: `import(new URL(${quoteString(`../dist/${built}`)}, import.meta.url).href)` };
    return { path, load: `import(${quote(`./${language === 'ts' ? path : built}`)})` };
  });
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
    .filter((binding): binding is FunctionBinding => binding.kind === 'function')
    .flatMap(({ module, checks = [] }) => [module, ...checks.map((check) => check.module)]);
  return [...new Set(modules)].sort();
}
