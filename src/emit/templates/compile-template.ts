import { readdir, readFile } from 'node:fs/promises';
import { readTemplates } from '../assets.ts';
import type { TemplateName } from '../views/template-views.ts';
import { type Helper, helpers, type Language, MissingField } from './helpers.ts';
import { templateFault, thrownAt } from './template-fault.ts';
import { optionsWith } from './template-options.ts';
import { hiddenField, type UserHelpers } from './user-helpers.ts';

export type Render = (view: object, language: Language) => string;

type HandlebarsTemplate = (view: object, options: { data: { language: Language } }) => string;

/** The part of Handlebars that renders what was compiled before; its package types that entry as empty. */
interface Environment {
  create: () => Environment;
  registerHelper: (name: string, helper: (...parameters: unknown[]) => unknown) => void;
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

export interface TemplateFolder {
  /** Absolute. */
  path: string;
  /** How messages call it. */
  label: string;
}

/**
 * Compiles a template of the user's folder, with the partials there. Faults in it, now or when rendering, are thrown as
 * `DiagnosticError`.
 */
export async function compileTemplate(
  folder: TemplateFolder,
  file: string,
  users: UserHelpers,
): Promise<Render> {
  const [{ default: handlebars }, source] = await Promise.all([
    import('handlebars'),
    readText(`${folder.path}/${file}`),
  ]);
  const names = Object.keys(users.functions);
  const options = optionsWith(names);
  const environment = handlebars.create();
  registerHelpers(environment);
  registerUsers(environment, users);
  refuseMissing(environment);
  const partialOf = new WeakMap<Error, string>();
  const partials = await readPartials(folder.path);
  for (const [name, text] of partials) {
    const partial = environment.compile<unknown>(text, options);
    environment.registerPartial(name, noting(partial, name, partialOf));
  }
  const render = renderWith(environment.compile<object>(source, options));
  return (view, language) => {
    const field = hiddenField(view, names);
    try {
      if (field !== undefined) throw new Error(`the helper ${field} hides the field ${field} of the view.`);
      return render(view, language);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const partial = partialOf.get(error);
      throw templateFault(error, {
        folder: folder.label,
        file,
        partial: partial && `${PARTIALS}${partial}.hbs`,
        source: partials.find(([name]) => name === partial)?.[1] ?? source,
        view,
        helpers: [...Object.keys(helpers), ...names],
      });
    }
  };
}

type Partial = (view: unknown, options?: object) => string;

/** `partial`, from which an error remembers where it comes from. */
function noting(partial: Partial, name: string, partialOf: WeakMap<Error, string>): Partial {
  return (view, options) => {
    try {
      return partial(view, options);
    } catch (error) {
      if (error instanceof Error && !partialOf.has(error)) partialOf.set(error, name);
      throw error;
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

function renderWith(template: HandlebarsTemplate): Render {
  return (view, language) => template(view, { data: { language } });
}

type Registry = Pick<Environment, 'registerHelper'>;

function registerHelpers(environment: Registry): void {
  for (const [name, helper] of Object.entries(helpers))
    environment.registerHelper(name, located(name, helper));
}

function registerUsers(environment: Registry, { functions, placeOf }: UserHelpers): void {
  for (const [name, helper] of Object.entries(functions)) {
    const call = (...parameters: unknown[]): unknown => {
      if (parameters.slice(0, -1).includes(undefined)) throw new MissingField();
      const value = helper(...parameters);
      if (value === undefined) throw new TypeError('it returned nothing');
      return value;
    };
    environment.registerHelper(name, located(name, call, placeOf));
  }
}

/** Handlebars takes a field that is not there for an empty one where a block begins. */
function refuseMissing(environment: Registry & { helpers: Record<string, unknown> }): void {
  for (const name of ['if', 'unless', 'each', 'with']) {
    const block = environment.helpers[name];
    if (typeof block !== 'function') continue;
    environment.registerHelper(name, function (this: unknown, ...parameters: unknown[]): unknown {
      if (parameters[0] === undefined) throw thrownAt(parameters.at(-1), withCause(name, new MissingField()));
      return Reflect.apply(block, this, parameters);
    });
  }
}

function withCause(name: string, cause: Error): Error {
  return new Error(`{{${name}}}: ${cause.message}`, { cause });
}

/** `helper`, whose complaints name the place in the template, and where they come from. */
function located(
  name: string,
  helper: Helper | ((...parameters: unknown[]) => unknown),
  placeOf: UserHelpers['placeOf'] = () => undefined,
): (...parameters: unknown[]) => unknown {
  return (...parameters) => {
    try {
      return helper(...parameters);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const place = placeOf(error);
      const words = `{{${name}}}: ${reason}${place === undefined ? '' : ` (${place})`}`;
      throw thrownAt(parameters.at(-1), new Error(words, { cause: error }));
    }
  };
}
