/** Templates of the user, and the built-in ones. */
import { readFileSync, readdirSync } from 'node:fs';
import type Handlebars from 'handlebars';
import { nearest } from '../../../templates/runtime/validate.ts';
import { ownMember } from '../../../templates/runtime/json-rpc.ts';
import { DiagnosticError, createDiagnostic } from '../../diagnostics/collector.ts';
import type { LineColumn } from '../../util/text-lines.ts';
import { readTemplates } from '../assets.ts';
import type { TemplateName } from '../views/template-views.ts';
import { type Helper, type Language, MissingField, helpers, templateOptions } from './helpers.ts';

export interface TemplateFolder {
  /** The absolute path of the folder. */
  path: string;
  label: string;
}

type Render = (view: object, language: Language) => string;

const PARTIALS_FOLDER = 'partials/';

/** Whether a file of a folder of templates is a part of others, and makes no file itself. */
export function isPartial(file: string): boolean {
  return file.startsWith(PARTIALS_FOLDER);
}

/** Compiles a template of the user. Throws its first fault, found now or when rendering, as a `DiagnosticError`. */
export async function compileTemplate(folder: TemplateFolder, file: string): Promise<Render> {
  const { default: handlebars } = await import('handlebars');
  const environment = handlebars.create();
  registerHelpers(environment);
  let at = file;
  const paths = readdirSync(folder.path, { recursive: true, encoding: 'utf8' });
  for (const path of paths.map((each) => each.replaceAll('\\', '/'))) {
    if (!isPartial(path) || !path.endsWith('.hbs')) continue;
    const partial = environment.compile(readTemplate(`${folder.path}/${path}`), templateOptions);
    // `{{> header}}` is `partials/header.hbs`.
    const name = path.slice(PARTIALS_FOLDER.length, -'.hbs'.length);
    environment.registerPartial(name, (view: unknown, runtime?: object) => {
      const outer = at;
      at = path;
      const output = partial(view, runtime);
      at = outer;
      return output;
    });
  }
  const template = environment.compile(readTemplate(`${folder.path}/${file}`), templateOptions);
  return (view, language) => {
    at = file;
    try {
      return template(view, { data: { language } });
    } catch (error) {
      const { reason, place } = describeFault(error, view);
      throw templateError(folder, at, reason, place);
    }
  };
}

export function templateError(
  { label }: TemplateFolder,
  file: string,
  reason: string,
  place?: LineColumn,
): DiagnosticError {
  const path = `${label}/${file}`;
  const at = place && { kind: 'code' as const, file: path, ...place };
  return new DiagnosticError(
    createDiagnostic(
      'invalid-template',
      { file: path, reason: /\?$/.test(reason) ? reason : `${reason}.` },
      { at },
    ),
  );
}

function readTemplate(path: string): string {
  return readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
}

/** An error of a helper, at the place of its call. */
class HelperError extends Error {
  readonly place: LineColumn | undefined;

  /** @param options what Handlebars passes last to a helper */
  constructor(message: string, options: unknown) {
    super(message);
    const { loc } = Object(options) as { loc?: { start: LineColumn } };
    this.place = loc && { line: loc.start.line, column: loc.start.column + 1 };
  }
}

/** Handlebars passes a missing field to a helper as `undefined`, also in strict mode. */
function registerHelpers(environment: typeof Handlebars): void {
  const blocks = ['if', 'unless', 'each', 'with'].map(
    (name) => [name, ownMember(environment.helpers, name)] as const,
  );
  for (const [name, helper] of [...blocks, ...Object.entries(helpers)])
    environment.registerHelper(name, function (this: unknown, ...parameters: unknown[]): unknown {
      try {
        if (parameters.slice(0, -1).includes(undefined)) throw new MissingField();
        return Reflect.apply(helper as Helper, this, parameters);
      } catch (error) {
        // An error inside of a block knows its own place.
        const isPlaced =
          error instanceof HelperError || error instanceof RangeError || PLACED.test(String(error));
        if (isPlaced) throw error;
        const reason = error instanceof Error ? error.message : String(error);
        throw new HelperError(`{{${name}}}: ${reason.replace(/\.$/, '')}`, parameters.at(-1));
      }
    });
}

/** Handlebars appends line and column to its messages. */
const PLACED = /^(.*) - (\d+):(\d+)$/s;

function describeFault(error: unknown, view: object): { reason: string; place?: LineColumn | undefined } {
  if (error instanceof HelperError) return { reason: error.message, place: error.place };
  if (!(error instanceof Error)) throw error;
  if (error instanceof RangeError) return { reason: 'its partials include each other without end' };
  const [, syntaxLine] = /^(?:Parse|Lexical) error on line (\d+)/.exec(error.message) ?? [];
  if (syntaxLine !== undefined) {
    const reason = 'a block or a tag is not closed, or closes what is not open';
    return { reason, place: { line: Number(syntaxLine), column: 1 } };
  }
  const [, message = error.message, line, column] = PLACED.exec(error.message) ?? [];
  const place = line === undefined ? undefined : { line: Number(line), column: Number(column) + 1 };
  const [, helper, field = helper] = /unknown helper (\S+)$|^"(.*)" not defined in /.exec(message) ?? [];
  if (field === undefined) return { reason: message.replace(/\.$/, ''), place };
  const objects = [view, ...Object.values(view).flat()].map((part: unknown) => Object(part) as object);
  const near = nearest(field, helper === undefined ? objects.flatMap(Object.keys) : Object.keys(helpers));
  const reason = helper === undefined ? `the view has no field ${field}` : `there is no helper ${field}`;
  return { reason: near === undefined ? reason : `${reason}; did you mean ${near}?`, place };
}

type HandlebarsTemplate = (view: object, options: { data: { language: Language } }) => string;

/** The part of Handlebars that renders what was compiled before; its package types that entry as empty. */
interface Environment {
  create: () => Environment;
  registerHelper: (helpers: Record<string, (...parameters: unknown[]) => unknown>) => void;
  template: (compiled: object) => HandlebarsTemplate;
}

/** Built-in templates were compiled when mcpgen was built, so a fault in one is a bug of mcpgen. */
export async function openBuiltIn(name: TemplateName): Promise<Render> {
  const { environment, templates } = await (builtIn ??= loadBuiltInTemplates());
  const template = environment.template(templates[name]);
  return (view, language) => template(view, { data: { language } });
}

let builtIn: ReturnType<typeof loadBuiltInTemplates> | undefined;

async function loadBuiltInTemplates(): Promise<{
  environment: Environment;
  templates: Record<TemplateName, object>;
}> {
  const [runtime, templates] = await Promise.all([import('handlebars/runtime.js'), readTemplates()]);
  const { default: handlebars } = runtime as unknown as { default: Environment };
  const environment = handlebars.create();
  environment.registerHelper(helpers);
  return { environment, templates };
}
