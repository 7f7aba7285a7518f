import type { RuntimeModule } from './assets.ts';
import type { GeneratedFile } from './generated-file.ts';

/** The runtime, byte for byte: its source under `src/runtime/`, and ready to run under `dist/runtime/`. */
export function emitRuntime(modules: RuntimeModule[]): GeneratedFile[] {
  return modules.flatMap(({ name, source, built }): GeneratedFile[] => [
    { path: `src/runtime/${name}.ts`, contents: source, ownership: 'generated' },
    { path: `dist/runtime/${name}.js`, contents: built, ownership: 'built' },
  ]);
}
