/** Lists the templates that a folder of the user replaces, and reports files in it without effect. */
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { DiagnosticCollector, DiagnosticError } from '../../diagnostics/collector.ts';
import { suggestNearest } from '../../../templates/runtime/contract/feature.ts';
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
  folder: TemplateFolder,
  diagnostics: DiagnosticCollector,
): Promise<Set<string>> {
  if (!(await isFolder(folder.path))) {
    diagnostics.report('templates-not-found', { folder: folder.label });
    return new Set();
  }
  const files = await listFilesIn(folder.path);
  const texts = files.filter((file) => file.endsWith('.hbs'));
  const overrides = texts.filter((file) => !isPartial(file));
  for (const template of overrides.filter((override) => !TEMPLATES.includes(override)))
    diagnostics.report('unknown-template', {
      template,
      suggestion: suggestTemplate(template) ?? '',
      known: templateList,
    });
  for (const file of await findOutwardLinks(texts, folder.path)) {
    const reason = 'it is a link to a file outside of the folder of templates.';
    diagnostics.report('invalid-template', { file: `${folder.label}/${file}`, reason });
  }
  for (const file of files.filter((file) => !texts.includes(file) && !isUnrelatedFile(file)))
    diagnostics.report('file-without-effect', {
      file: `${folder.label}/${file}`,
      suggestion: findMeantTemplate(file) ?? '',
    });
  return new Set(overrides.map((file) => file.slice(0, -'.hbs'.length)));
}

const TEMPLATES: readonly string[] = templateNames.map((name) => `${name}.hbs`);
const templateList = TEMPLATES.join(', ');

async function listFilesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'))
    .sort();
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}

/** Links would put files of this machine into the project. */
async function findOutwardLinks(files: readonly string[], folder: string): Promise<string[]> {
  const root = await realpath(folder);
  const targets = await Promise.all(files.map((file) => realpath(join(folder, file))));
  return files.filter((_, index) => targets[index]?.startsWith(root + sep) !== true);
}

/** Modules of helpers, and hidden files, may be beside the templates. */
function isUnrelatedFile(file: string): boolean {
  return findMeantTemplate(file) === undefined && /(^|\/)\.|\.(m?[jt]s|json)$/.test(file);
}

/** Finds the template, or the partial, that a file without `.hbs` would be. */
function findMeantTemplate(file: string): string | undefined {
  const name = file.replace(/\.(handlebars|hb|mustache)$/, '');
  return isPartial(file) ? `${name.replace(/\.\w+$/, '')}.hbs` : suggestTemplate(`${name}.hbs`);
}

function removeExtensions(file: string): string {
  return file.replace(/\.hbs$/, '').replace(/\.\w+$/, '');
}

/** Compares names without their extensions, which would make `words.json` near to `server.json`. */
function suggestTemplate(file: string): string | undefined {
  const stem = suggestNearest(removeExtensions(file), TEMPLATES.map(removeExtensions));
  return TEMPLATES.find((template) => removeExtensions(template) === stem);
}
