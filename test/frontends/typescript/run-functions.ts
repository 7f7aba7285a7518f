// Runs compiled functions in this process, by the bindings that were made of them.
import { ts } from 'ts-morph';
import { openFunctions } from '../../../templates/runtime/functions/index.ts';
import type { CompiledFiles } from './compile-files.ts';
import type { BoundFunctions } from '../../../templates/runtime/functions/bound-functions.ts';

/** Of one file, whose text is given again; what a function throws by mistake is thrown. */
export function loadFunctions(text: string, { model }: CompiledFiles): BoundFunctions {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const { outputText } = ts.transpileModule(text, { compilerOptions });
  const load = (): Promise<Record<string, unknown>> =>
    import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(outputText)}`) as never;
  const bindings = [
    ...(model?.tools ?? []).map(({ binding }) => binding),
    ...(model?.prompts ?? []).map(({ binding }) => binding),
  ];
  const modules = bindings.flatMap((binding) =>
    binding.kind === 'function' ? [[binding.module, load]] : [],
  );
  return openFunctions(Object.fromEntries(modules), { codecs: model?.codecs ?? {} }, (thrown) => {
    throw thrown;
  });
}
