import { readFile } from 'node:fs/promises';
import { createDiagnostic, DiagnosticError } from '../../diagnostics/collector.ts';
import { readTemplates } from '../assets.ts';
import type { TemplateName } from '../views/template-views.ts';
import { type Helper, helpers, type Language } from './helpers.ts';
import { templateOptions } from './template-options.ts';

export type Render = (view: object, language: Language) => string;

type HandlebarsTemplate = (view: object, options: { data: { language: Language } }) => string;

/** The part of Handlebars that renders what was compiled before; its package types that entry as empty. */
interface Environment {
  create: () => Environment;
  registerHelper: (name: string, helper: Helper) => void;
  template: (compiled: object) => HandlebarsTemplate;
}

/** Opens a built-in template, compiled when mcpgen was built. A fault in it is a bug. */
export async function openBuiltIn(name: TemplateName): Promise<Render> {
  const { environment, templates } = await (builtIn ??= loadBuiltIn());
  return renderWith(environment.template(templates[name]));
}

interface BuiltIn {
  environment: Environment;
  templates: Record<TemplateName, object>;
}

let builtIn: Promise<BuiltIn> | undefined;

async function loadBuiltIn(): Promise<BuiltIn> {
  const [runtime, templates] = await Promise.all([import('handlebars/runtime.js'), readTemplates()]);
  const { default: handlebars } = runtime as unknown as { default: Environment };
  const environment = handlebars.create();
  registerHelpers(environment);
  return { environment, templates };
}

/** Compiles the user's template in `path`. Faults in it, now or when rendering, are thrown as `DiagnosticError`. */
export async function compileTemplate(path: string): Promise<Render> {
  const [{ default: handlebars }, source] = await Promise.all([import('handlebars'), readFile(path, 'utf8')]);
  const environment = handlebars.create();
  registerHelpers(environment);
  const template = environment.compile<object>(source.replaceAll('\r\n', '\n'), templateOptions);
  const render = renderWith(template);
  return (view, language) => {
    try {
      return render(view, language);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      throw new DiagnosticError(createDiagnostic('invalid-template', { file: path, reason: error.message }));
    }
  };
}

function renderWith(template: HandlebarsTemplate): Render {
  return (view, language) => template(view, { data: { language } });
}

function registerHelpers(environment: Pick<Environment, 'registerHelper'>): void {
  for (const [name, helper] of Object.entries(helpers))
    environment.registerHelper(name, located(name, helper));
}

/** `helper`, whose complaints name the place in the template. */
function located(name: string, helper: Helper): Helper {
  return (...parameters) => {
    try {
      return helper(...parameters);
    } catch (error) {
      const place = placeOf(parameters.at(-1));
      throw new Error(`${place}{{${name}}}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  };
}

/** `line:column: `, from the options Handlebars passes last. */
function placeOf(options: unknown): string {
  const { loc } = options as { loc?: { start: { line: number; column: number } } };
  return loc === undefined ? '' : `${String(loc.start.line)}:${String(loc.start.column + 1)}: `;
}
