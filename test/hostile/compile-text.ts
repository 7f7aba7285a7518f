import { compile } from '../../src/api/compile.ts';
import type { CompileOptions } from '../../src/api/options.ts';
import type { Diagnostic } from '../../src/diagnostics/collector.ts';
import { publishTargets } from '../../src/model/published.ts';
import { emitProject, type GeneratedFile } from '../../src/emit/index.ts';

export interface Compiled {
  diagnostics: readonly Diagnostic[];
  /** Undefined after an error. */
  files: GeneratedFile[] | undefined;
}

/** The whole way from a text to the files of a project, in memory. */
export async function compileText(
  text: string,
  source = 'api.yaml',
  options: Partial<CompileOptions> = {},
): Promise<Compiled> {
  const stdin = (): Promise<Uint8Array> => Promise.resolve(Buffer.from(text));
  const { model, diagnostics } = await compile({ source: '-', stdin, ...options });
  if (model === undefined) return { diagnostics, files: undefined };
  const files = await emitProject(model, {
    source,
    compilerVersion: '9.9.9',
    config: JSON.stringify({ source }),
    publish: publishTargets,
  });
  return { diagnostics, files };
}
