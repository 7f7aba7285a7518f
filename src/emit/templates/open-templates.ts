import { transpile } from '../../util/transpile.ts';
import type { TemplateName, TemplateViews } from '../views/template-views.ts';
import { formatLikeProject, OutputError } from './format.ts';
import { type Language, type UserHelpers, noHelpers } from './helpers.ts';
import { type OwnTemplate, type TemplateFolder, compileTemplate, openBuiltIn } from './compile-template.ts';
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
  const own = folder && { folder, names: await listOverrides(folder) };
  const isUserTemplate = (name: TemplateName): boolean => own?.names.has(name) === true;
  const openUserTemplate = async (name: TemplateName): Promise<OwnTemplate | undefined> =>
    own !== undefined && isUserTemplate(name)
      ? compileTemplate(own.folder, `${name}.hbs`, helpers)
      : undefined;
  return {
    isUserTemplate,
    render: async (name, view) => {
      const template = await openUserTemplate(name);
      return template === undefined
        ? (await openBuiltIn(name))(view, 'ts')
        : formatOutput(template, name, view);
    },
    renderCode: async (name, view) => {
      const template = await openUserTemplate(name);
      if (template !== undefined) {
        const source = await formatOutput(template, name, view('ts'));
        return { source, built: (await transpile(source, name)).code };
      }
      const render = await openBuiltIn(name);
      return { source: render(view('ts'), 'ts'), built: render(view('js'), 'js') };
    },
  };
}

async function formatOutput(template: OwnTemplate, name: TemplateName, view: object): Promise<string> {
  const output = template.render(view, 'ts');
  try {
    return await formatLikeProject(name, output);
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    return template.refuse(error.message, { view, output, offset: error.offset });
  }
}
