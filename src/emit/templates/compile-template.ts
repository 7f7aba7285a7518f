import { readdir, readFile } from 'node:fs/promises';
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

/** Folder of partials within one of templates: `{{> header}}` is `partials/header.hbs`. */
const PARTIALS = 'partials/';

/** Whether a file of a folder of templates is a part of others, and makes no file itself. */
export function isPartial(file: string): boolean {
  return file.startsWith(PARTIALS);
}

/**
 * Compiles a template of the user's folder, with the partials there. Faults in it, now or when rendering, are thrown as
 * `DiagnosticError`.
 */
export async function compileTemplate(folder: string, file: string): Promise<Render> {
  const path = `${folder}/${file}`;
  const [{ default: handlebars }, source] = await Promise.all([import('handlebars'), readText(path)]);
  const environment = handlebars.create();
  registerHelpers(environment);
  for (const [name, text] of await readPartials(folder)) environment.registerPartial(name, text);
  const template = environment.compile<object>(source, templateOptions);
  const render = renderWith(template);
  return (view, language) => {
    try {
      return render(view, language);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      throw new DiagnosticError(
        createDiagnostic('invalid-template', { file: path, reason: reasonOf(error) }),
      );
    }
  };
}

async function readPartials(folder: string): Promise<[name: string, text: string][]> {
  const files = await readdir(folder, { recursive: true });
  const partials = files
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /^partials\/.*\.hbs$/.test(file));
  return Promise.all(
    partials.map(async (file) => [
      file.slice(PARTIALS.length, -'.hbs'.length),
      await readText(`${folder}/${file}`),
    ]),
  );
}

async function readText(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).replaceAll('\r\n', '\n');
}

/** What is wrong, with the place where Handlebars says it. */
function reasonOf(error: Error): string {
  if (error instanceof RangeError) return 'its partials include each other without end.';
  const missing = /^"(.*)" not defined in .* - (\d+):(\d+)$/s.exec(error.message);
  if (missing === null) return error.message;
  const [, field = '', line = '', column = ''] = missing;
  return `${line}:${Number(column) + 1}: the view has no field ${field}.`;
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
