// Compiles files that a test holds as texts, beside the packages that are installed here.
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compile } from '../../../src/api/compile.ts';
import type { CompileOptions } from '../../../src/api/options.ts';
import { expectWellPut } from '../../support/well-put.ts';
import type { ServerModel, Tool } from '../../../src/model/server-model.ts';

const modules = path.resolve(import.meta.dirname, '../../../node_modules');

export interface CompiledFiles {
  model: ServerModel | undefined;
  /** `file:line:column severity name`, in the order found. */
  problems: string[];
  /** The same with the message behind it. */
  messages: string[];
  hints: string[];
}

/** A fresh folder with the files; `package.json` says `type: module` unless it is given. */
export async function folderOf(files: Record<string, string | Buffer>): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'mcpgen-ts-')));
  await symlink(modules, path.join(folder, 'node_modules'));
  const all = { 'package.json': '{ "name": "given", "version": "1.0.0", "type": "module" }', ...files };
  for (const [name, text] of Object.entries(all)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return folder;
}

/** `taken` are the files whose exports are taken. Default: all `.ts` at the top. */
export async function compileFiles(
  files: Record<string, string | Buffer>,
  taken: string[] = ['*.ts'],
  options: Partial<CompileOptions> = {},
): Promise<CompiledFiles> {
  const folder = await folderOf(files);
  try {
    const { model, diagnostics } = await compile({
      source: taken.join(' '),
      typescript: { files: taken },
      cwd: folder,
      // Whether anybody asks for scopes is not what these tests are about.
      auth: 'none',
      ...options,
    });
    expectWellPut(diagnostics);
    const problems = diagnostics.map(({ severity, name, origin }) => {
      const place = origin?.kind === 'code' ? `${origin.file}:${origin.line}:${origin.column} ` : '';
      return `${place}${severity} ${name}`;
    });
    return {
      model,
      problems,
      hints: diagnostics.flatMap(({ hint }) => hint ?? []),
      messages: problems.map((each, at) => `${each}: ${diagnostics[at]?.message ?? ''}`),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function toolNamed(name: string, { model, messages }: CompiledFiles): Tool {
  const tool = model?.tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error([`no tool ${name}`, ...messages].join('\n'));
  return tool;
}
