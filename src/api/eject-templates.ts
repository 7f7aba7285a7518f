/** Copies of the built-in templates, for a person to change. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { nearest } from '../../templates/runtime/validate.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { readTemplateText } from '../emit/assets.ts';
import { isSaved, saveFileOrReport } from '../write/index.ts';
import { type TemplateName, templateNames } from '../emit/views/template-views.ts';

export interface EjectOptions {
  /** Folder of templates, taken from `cwd`. */
  dir: string;
  cwd: string;
  /** Overwrite what is there, and keep it as `<name>.orig`. */
  force: boolean;
}

/** Copies built-in templates and returns their paths. Reports an error and copies none if one is unknown, or exists with other contents. */
export async function ejectTemplates(
  names: readonly string[],
  { dir, cwd, force }: EjectOptions,
  diagnostics: DiagnosticCollector,
): Promise<string[] | undefined> {
  const chosen = findNamedTemplates(names, diagnostics);
  const files = chosen.map((name) => {
    const file = join(dir, `${name}.hbs`);
    return { file, place: resolve(cwd, file), text: readTemplateText(name) };
  });
  for (const { file, place, text } of files)
    if (!force && existsSync(place) && !(await isSaved(place, text)))
      diagnostics.report('draft-not-written', { file, problem: 'the file exists' });
  if (diagnostics.hasErrors) return undefined;
  for (const { file, place, text } of files) {
    await saveFileOrReport(place, text, { force, shown: file, within: cwd }, diagnostics);
    if (diagnostics.hasErrors) return undefined;
  }
  return files.map(({ file }) => file);
}

function findNamedTemplates(names: readonly string[], diagnostics: DiagnosticCollector): TemplateName[] {
  const bareNames = [...new Set(names.map((name) => name.replace(/\.hbs$/, '')))];
  return bareNames.flatMap((name) => {
    const template = templateNames.find((templateName) => templateName === name);
    if (template !== undefined) return [template];
    const near = nearest(name, templateNames);
    diagnostics.report('invalid-usage', {
      problem: `there is no template ${name}`,
      suggestion: near === undefined ? ' `mcpgen templates list` shows all.' : ` Did you mean ${near}?`,
      command: 'mcpgen templates eject',
    });
    return [];
  });
}
