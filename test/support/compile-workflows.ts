/** The petstore with files of workflows, compiled. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { compile } from '../../src/api/compile.ts';
import type { CompileOptions } from '../../src/api/options.ts';
import { fixtures } from './fixture-documents.ts';

export const petstore = join(fixtures, 'petstore.yaml');

/** An object is written as JSON. */
export async function compileWorkflows(
  files: Record<string, unknown>,
  options: Partial<CompileOptions> = {},
) {
  const cwd = mkdtempSync(join(tmpdir(), 'workflows-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  for (const [name, value] of Object.entries(files))
    writeFileSync(join(cwd, name), typeof value === 'string' ? value : JSON.stringify(value));
  const compiled = await compile({ source: petstore, workflows: Object.keys(files), cwd, ...options });
  const faults = compiled.diagnostics
    .filter(({ severity }) => severity !== 'info')
    .map(({ severity, origin, message }) => {
      const { pointer = '' } = (origin ?? {}) as { pointer?: string };
      return `${severity} ${pointer}: ${message.replace(/^The workflow (?:can't be run|is left out)\. /, '')}`;
    });
  return { ...compiled, faults };
}

/** Throws when there are errors or warnings. */
export async function compileSound(files: Record<string, unknown>, options: Partial<CompileOptions> = {}) {
  const { model, faults } = await compileWorkflows(files, options);
  if (model === undefined || faults.length > 0) throw new Error(faults.join('\n'));
  return model;
}
