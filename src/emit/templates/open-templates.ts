import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { createDiagnostic, DiagnosticError } from '../../diagnostics/collector.ts';
import { transpile } from '../transpile.ts';
import { type TemplateName, templateNames, type TemplateViews } from '../views/template-views.ts';
import { formatLikeProject } from './format.ts';
import type { Language } from './helpers.ts';
import {
  compileTemplate,
  isPartial,
  openBuiltIn,
  type Render,
  type TemplateFolder,
} from './compile-template.ts';
import { noHelpers, type UserHelpers } from './user-helpers.ts';
import { printLikeTsc } from './print-like-tsc.ts';

/** The project's templates, some of them replaced by the user's. */
export interface Templates {
  render: <N extends TemplateName>(name: N, view: TemplateViews[N]) => Promise<string>;
  /** Renders one template to TypeScript and to the JavaScript that `tsc` makes of it. */
  renderCode: <N extends TemplateName>(
    name: N,
    view: (language: Language) => TemplateViews[N],
  ) => Promise<Code>;
}

export interface Code {
  source: string;
  built: string;
}

/**
 * Opens the built-in templates, and those of `folder`, with the user's helpers, over them.
 *
 * Throws `DiagnosticError` when there is no such folder, or it holds a template of a name mcpgen doesn't know.
 */
export async function openTemplates(
  folder: TemplateFolder | undefined,
  helpers: UserHelpers = noHelpers,
): Promise<Templates> {
  const own = folder && { folder, names: await listOverrides(folder) };
  const openOwn = async (name: TemplateName): Promise<OwnTemplate | undefined> =>
    own?.names.has(name) === true
      ? { render: await compileTemplate(own.folder, `${name}.hbs`, helpers), label: own.folder.label }
      : undefined;
  return {
    render: async (name, view) => {
      const template = await openOwn(name);
      return template === undefined ? (await openBuiltIn(name))(view, 'ts') : formatted(template, name, view);
    },
    renderCode: async (name, view) => {
      const template = await openOwn(name);
      if (template !== undefined) {
        const source = await formatted(template, name, view('ts'));
        return { source, built: (await transpile(source, name)).code };
      }
      const render = await openBuiltIn(name);
      return { source: render(view('ts'), 'ts'), built: printLikeTsc(render(view('js'), 'js')) };
    },
  };
}

interface OwnTemplate {
  render: Render;
  /** How messages call its folder. */
  label: string;
}

function formatted({ render, label }: OwnTemplate, name: TemplateName, view: object): Promise<string> {
  return formatLikeProject(name, render(view, 'ts'), `${label}/${name}.hbs`);
}

/** The templates of the user in a folder. Throws `DiagnosticError` as `openTemplates` does. */
export async function listOverrides({ path: folder, label }: TemplateFolder): Promise<Set<string>> {
  const isFolder = await stat(folder).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new DiagnosticError(createDiagnostic('templates-not-found', { folder: label }));
  const files = (await readdir(folder, { recursive: true })).map((file) => file.replaceAll('\\', '/'));
  const texts = files.filter((file) => file.endsWith('.hbs'));
  const names = texts.filter((file) => !isPartial(file)).map((file) => file.slice(0, -'.hbs'.length));
  const unknown = names.find((name) => !templateNames.some((known) => known === name));
  if (unknown !== undefined) {
    const known = templateNames.map((name) => `${name}.hbs`).join(', ');
    throw new DiagnosticError(createDiagnostic('unknown-template', { template: `${unknown}.hbs`, known }));
  }
  await Promise.all(texts.map((file) => assertInside(file, { path: folder, label })));
  return new Set(names);
}

/** A link would put a file of this machine into the project. */
async function assertInside(template: string, { path: folder, label }: TemplateFolder): Promise<void> {
  const [root, file] = await Promise.all([realpath(folder), realpath(join(folder, template))]);
  if (file.startsWith(root + sep)) return;
  const reason = 'it is a link to a file outside of the folder of templates.';
  throw new DiagnosticError(createDiagnostic('invalid-template', { file: `${label}/${template}`, reason }));
}
