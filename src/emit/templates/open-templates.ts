import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { createDiagnostic, DiagnosticError } from '../../diagnostics/collector.ts';
import { transpile } from '../transpile.ts';
import { type TemplateName, templateNames, type TemplateViews } from '../views/template-views.ts';
import { formatLikeProject } from './format.ts';
import type { Language } from './helpers.ts';
import { compileTemplate, isPartial, openBuiltIn, type Render } from './compile-template.ts';
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
 * Opens the built-in templates, and those of `folder` over them.
 *
 * Throws `DiagnosticError` when there is no such folder, or it holds a template of a name mcpgen doesn't know.
 */
export async function openTemplates(folder: string | undefined): Promise<Templates> {
  const overridden = folder === undefined ? new Set<string>() : await listOverrides(folder);
  const users = (name: TemplateName): Promise<Render> => compileTemplate(folder ?? '', `${name}.hbs`);
  const renderOverride = async (name: TemplateName, view: object): Promise<string> =>
    formatLikeProject(name, (await users(name))(view, 'ts'));
  return {
    render: async (name, view) =>
      overridden.has(name) ? renderOverride(name, view) : (await openBuiltIn(name))(view, 'ts'),
    renderCode: async (name, view) => {
      if (overridden.has(name)) {
        const source = await renderOverride(name, view('ts'));
        return { source, built: (await transpile(source, name)).code };
      }
      const render = await openBuiltIn(name);
      return { source: render(view('ts'), 'ts'), built: printLikeTsc(render(view('js'), 'js')) };
    },
  };
}

/** The templates of the user in a folder. Throws `DiagnosticError` as `openTemplates` does. */
export async function listOverrides(folder: string): Promise<Set<string>> {
  const isFolder = await stat(folder).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new DiagnosticError(createDiagnostic('templates-not-found', { folder }));
  const files = (await readdir(folder, { recursive: true })).map((file) => file.replaceAll('\\', '/'));
  const texts = files.filter((file) => file.endsWith('.hbs'));
  const names = texts.filter((file) => !isPartial(file)).map((file) => file.slice(0, -'.hbs'.length));
  const unknown = names.find((name) => !templateNames.some((known) => known === name));
  if (unknown !== undefined) {
    const known = templateNames.map((name) => `${name}.hbs`).join(', ');
    throw new DiagnosticError(createDiagnostic('unknown-template', { template: `${unknown}.hbs`, known }));
  }
  await Promise.all(texts.map((file) => assertInside(folder, file)));
  return new Set(names);
}

/** A link would put a file of this machine into the project. */
async function assertInside(folder: string, template: string): Promise<void> {
  const [root, file] = await Promise.all([realpath(folder), realpath(join(folder, template))]);
  if (file.startsWith(root + sep)) return;
  const reason = 'it is a link to a file outside of the folder of templates.';
  throw new DiagnosticError(createDiagnostic('invalid-template', { file: `${folder}/${template}`, reason }));
}
