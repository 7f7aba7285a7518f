import type { TemplateName } from '../views/template-views.ts';
import { formatLikeProject } from './format.ts';
import { type TemplateFolder, compileTemplate, templateError } from './compile-template.ts';
import { listOverrides } from './overrides.ts';

export interface Templates {
  /** Undefined: the folder of templates has none of this name. */
  renderOfUser: (name: TemplateName, view: object) => Promise<string | undefined>;
}

export interface Code {
  source: string;
  built: string;
}

/** Opens the built-in templates, and those of `folder` over them. Throws `DiagnosticError` for a missing folder and unknown templates. */
export async function openTemplates(folder: TemplateFolder | undefined): Promise<Templates> {
  const overrides = folder && (await listOverrides(folder));
  const renderUserTemplate = async (folder: TemplateFolder, name: string, view: object): Promise<string> => {
    const render = await compileTemplate(folder, `${name}.hbs`);
    const output = await formatLikeProject(name, render(view, 'ts'));
    if ('problem' in output) throw templateError(folder, `${name}.hbs`, output.problem);
    return output.formatted;
  };
  return {
    renderOfUser: async (name, view) =>
      folder !== undefined && overrides?.has(name) === true
        ? renderUserTemplate(folder, name, view)
        : undefined,
  };
}
