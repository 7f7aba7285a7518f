/** Lists the templates that a folder of the user replaces. */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DiagnosticCollector, DiagnosticError } from '../../diagnostics/collector.ts';
import { nearest } from '../../../templates/runtime/validate.ts';
import { isInside } from '../../util/ref-policy.ts';
import { templateNames } from '../views/template-views.ts';
import { type TemplateFolder, isPartial } from './compile-template.ts';

export async function listOverrides(folder: TemplateFolder): Promise<Set<string>> {
  const diagnostics = new DiagnosticCollector();
  const names = await checkTemplatesFolder(folder, diagnostics);
  const errors = diagnostics.found.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new DiagnosticError(...errors);
  return names;
}

/** Lists the templates as `listOverrides` does, and reports problems of the folder as a whole. */
export async function checkTemplatesFolder(
  { path, label }: TemplateFolder,
  diagnostics: DiagnosticCollector,
): Promise<Set<string>> {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    diagnostics.report('templates-not-found', { folder: label });
    return new Set();
  }
  const root = realpathSync(path);
  const templates: readonly string[] = templateNames.map((name) => `${name}.hbs`);
  const overrides = new Set<string>();
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
  for (const file of files) {
    const isTemplate = file.endsWith('.hbs');
    // Links would put files of this machine into the project.
    if (isTemplate && !isInside(root, realpathSync(join(path, file)))) {
      const reason = 'it is a link to a file outside of the folder of templates.';
      diagnostics.report('invalid-template', { file: `${label}/${file}`, reason });
    }
    if (isPartial(file)) continue;
    if (templates.includes(file)) overrides.add(file.slice(0, -'.hbs'.length));
    else if (isTemplate || templates.includes(`${file}.hbs`))
      diagnostics.report('unknown-template', {
        template: file,
        suggestion: nearest(file, templates) ?? '',
        known: templates.join(', '),
      });
  }
  return overrides;
}
