import { transpile } from '../../util/transpile.ts';
import type { TemplateName, TemplateViews } from '../views/template-views.ts';
import { formatLikeProject, OutputError } from './format.ts';
import { type Language, type UserHelpers, noHelpers } from './helpers.ts';
import { type TemplateFolder, compileTemplate, openBuiltIn, templateError } from './compile-template.ts';
import { listOverrides } from './overrides.ts';

export interface Templates {
  /** Whether the user's folder of templates replaces the template. */
  isUserTemplate: (name: TemplateName) => boolean;
  render: <N extends TemplateName>(name: N, view: TemplateViews[N]) => Promise<string>;
  /** Renders one template to TypeScript and to the JavaScript that it is without types. */
  renderCode: <N extends TemplateName>(
    name: N,
    view: (language: Language) => TemplateViews[N],
  ) => Promise<Code>;
}

export interface Code {
  source: string;
  built: string;
}

/** Opens the built-in templates, and those of `folder` over them. Throws `DiagnosticError` for a missing folder and unknown templates. */
export async function openTemplates(
  folder: TemplateFolder | undefined,
  helpers: UserHelpers = noHelpers,
): Promise<Templates> {
  const overrides = folder && (await listOverrides(folder));
  const isUserTemplate = (name: TemplateName): boolean => overrides?.has(name) === true;
  const renderUserTemplate = async (
    folder: TemplateFolder,
    name: TemplateName,
    view: object,
  ): Promise<string> => {
    const output = (await compileTemplate(folder, `${name}.hbs`, helpers))(view, 'ts');
    try {
      return await formatLikeProject(name, output);
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      throw templateError(folder, `${name}.hbs`, error.message);
    }
  };
  return {
    isUserTemplate,
    render: async (name, view) =>
      folder !== undefined && isUserTemplate(name)
        ? renderUserTemplate(folder, name, view)
        : (await openBuiltIn(name))(view, 'ts'),
    renderCode: async (name, view) => {
      if (folder !== undefined && isUserTemplate(name)) {
        const source = await renderUserTemplate(folder, name, view('ts'));
        return { source, built: (await transpile(source, name)).code };
      }
      const render = await openBuiltIn(name);
      return { source: render(view('ts'), 'ts'), built: render(view('js'), 'js') };
    },
  };
}
