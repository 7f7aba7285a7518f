import { compile } from '../../src/api/compile.ts';
import type { CompileOptions } from '../../src/api/options.ts';
import { publishTargets } from '../../src/model/published.ts';
import { emitProject, type GeneratedFile } from '../../src/emit/index.ts';

export interface Compiled extends Awaited<ReturnType<typeof compile>> {
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
  return emitCompiled(await compile({ source: '-', stdin, ...options }), source);
}

export async function emitCompiled(
  compiled: Awaited<ReturnType<typeof compile>>,
  source = 'api.yaml',
): Promise<Compiled> {
  const { model } = compiled;
  if (model === undefined) return { ...compiled, files: undefined };
  const options = { source, compilerVersion: '9.9.9', publish: publishTargets };
  const files = await emitProject(model, { ...options, config: JSON.stringify({ source }) });
  return { ...compiled, files };
}
