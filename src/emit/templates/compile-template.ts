/** Templates of the user. */
import type Handlebars from 'handlebars';
import { readTemplates } from '../assets.ts';
import type { TemplateName } from '../views/template-views.ts';
import {
  HANDLEBARS,
  type Language,
  type UserHelpers,
  helpers,
  findHelperHidingField,
  templateOptionsFor,
} from './helpers.ts';
import {
  createLookupHelpers,
  makeLocatedOwnHelpers,
  createTextHelper,
  makeLocatedUserHelpers,
} from './located-helpers.ts';
import { BLOCK, DATA, FIELD, PARTIAL, type ParsedTemplate, TEXT, parseTemplate } from './parse-template.ts';
import {
  type Partials,
  endlessPartialError,
  findPartialFaults,
  readPartials,
  readTemplate,
} from './partials.ts';
import { TemplateError, TemplateFaults, isOverflow } from './template-faults.ts';
import { Trace } from './trace-output.ts';

export interface TemplateFolder {
  /** The absolute path of the template. */
  path: string;
  label: string;
}

export interface OwnTemplate {
  render: Render;
  /** Throws a fault at `offset` of `output`, as one at the place in the template that made that text. */
  refuse: (reason: string, made: { view: object; output: string; offset: number }) => never;
}

/** Compiles a template of the user. Throws its faults, found now or when rendering, as one `DiagnosticError`. */
export async function compileTemplate(
  folder: TemplateFolder,
  file: string,
  users: UserHelpers,
): Promise<OwnTemplate> {
  const [{ default: handlebars }, source, texts] = await Promise.all([
    import('handlebars'),
    readTemplate(`${folder.path}/${file}`),
    readPartials(folder.path),
  ]);
  const names = Object.keys(users.functions);
  const known = [...HANDLEBARS, ...Object.keys(helpers), ...names];
  const parsed = (text: string): ParsedTemplate => parseTemplate(text, handlebars, known);
  const partials: Partials = {
    names: [...texts.keys()],
    parsed: makeCachedParser((name) => parsed(texts.get(name) ?? '')),
  };
  const faults = new TemplateFaults();
  const options = templateOptionsFor([...names, FIELD, TEXT, DATA, PARTIAL, BLOCK]);
  const makeRenderer = (template: ParsedTemplate, parsedPartial: Partials['parsed']): Render => {
    const environment = handlebars.create();
    registerHelpers(environment, users, partials.names, faults);
    const compileParsedTemplate = ({ program }: ParsedTemplate): Template =>
      environment.compile(program, options);
    for (const name of partials.names)
      environment.registerPartial(
        name,
        compileLocatingFaults(name, faults, () => compileParsedTemplate(parsedPartial(name))),
      );
    return makeRenderFunction(compileParsedTemplate(template));
  };
  const at = { label: folder.label, file };
  const main = faults.runAndThrowFaults(at, () => {
    const template = parsed(source);
    for (const fault of [...template.faults, ...findPartialFaults(template, partials)])
      faults.addFault(fault);
    return template;
  });
  const render = makeRenderer(main, partials.parsed);
  return {
    render: (view, language) =>
      faults.runAndThrowFaults(at, () => {
        const field = findHelperHidingField(view, names);
        if (field !== undefined)
          throw new TemplateError(`the helper ${field} hides the field ${field} of the view.`, undefined);
        try {
          return render(view, language);
        } catch (error) {
          throw isOverflow(error) ? endlessPartialError(main, partials) : error;
        }
      }),
    refuse: (reason, { view, output, offset }) => {
      const trace = new Trace();
      const parseAndMark = (text: string, partial?: string): ParsedTemplate => {
        const template = parsed(text);
        trace.markTemplate(template.program, text, partial);
        return template;
      };
      const again = makeRenderer(parseAndMark(source), (name) => parseAndMark(texts.get(name) ?? '', name));
      const place = trace.findTemplatePlace(again(view, 'ts'), output, offset);
      const fault = new TemplateError(reason, place?.at);
      fault.partial = place?.partial;
      return faults.runAndThrowFaults(at, () => {
        throw fault;
      });
    },
  };
}

function registerHelpers(
  environment: typeof Handlebars,
  users: UserHelpers,
  partials: readonly string[],
  faults: TemplateFaults,
): void {
  const all = [
    makeLocatedOwnHelpers(faults),
    makeLocatedUserHelpers(users, faults),
    createLookupHelpers(partials, faults),
  ];
  for (const each of all) environment.registerHelper(each);
  environment.registerHelper(TEXT, createTextHelper(faults));
  const { blockHelperMissing } = environment.helpers;
  if (blockHelperMissing !== undefined) environment.registerHelper(BLOCK, blockHelperMissing);
}

type Template = (view: unknown, options?: object) => string;

function makeCachedParser(parse: (name: string) => ParsedTemplate): (name: string) => ParsedTemplate {
  const known = new Map<string, ParsedTemplate>();
  return (name) => {
    const parsed = known.get(name) ?? parse(name);
    for (const fault of parsed.faults) fault.partial ??= name;
    known.set(name, parsed);
    return parsed;
  };
}

function compileLocatingFaults(name: string, faults: TemplateFaults, compile: () => Template): Template {
  let template: Template | undefined;
  return (view, options) => faults.runInPartial(name, () => (template ??= compile())(view, options));
}

type Render = (view: object, language: Language) => string;

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
  return makeRenderFunction(environment.template(templates[name]));
}

function makeRenderFunction(template: HandlebarsTemplate): Render {
  return (view, language) => template(view, { data: { language } });
}

interface BuiltIn {
  environment: Environment;
  templates: Record<TemplateName, object>;
}

let builtIn: Promise<BuiltIn> | undefined;

async function loadBuiltInTemplates(): Promise<BuiltIn> {
  const [runtime, templates] = await Promise.all([import('handlebars/runtime.js'), readTemplates()]);
  const { default: handlebars } = runtime as unknown as { default: Environment };
  const environment = handlebars.create();
  environment.registerHelper(makeLocatedOwnHelpers());
  return { environment, templates };
}
