/** Templates of the user. */
import { createDiagnostic, DiagnosticError } from '../../diagnostics/collector.ts';
import { helpers } from './helpers.ts';
import { lookupHelpers, ownHelpers, usersHelpers } from './located-helpers.ts';
import { type Render, renderWith } from './open-built-in.ts';
import { BLOCK, DATA, FIELD, PARTIAL, type ParsedTemplate, parseTemplate } from './parse-template.ts';
import {
  checkPartials,
  endlessPartials,
  partialFile,
  type Partials,
  readPartials,
  readTemplate,
} from './partials.ts';
import { asTemplateError, isOverflow, type TemplateError } from './template-error.ts';
import { optionsWith } from './template-options.ts';
import { HANDLEBARS, hiddenField, type UserHelpers } from './user-helpers.ts';

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
    parsed: remembered((name) => parsed(texts.get(name) ?? '')),
  };
  const environment = handlebars.create();
  for (const each of [ownHelpers(), usersHelpers(users), lookupHelpers(partials.names)])
    environment.registerHelper(each);
  const { blockHelperMissing } = environment.helpers;
  if (blockHelperMissing !== undefined) environment.registerHelper(BLOCK, blockHelperMissing);
  const options = optionsWith([...names, FIELD, DATA, PARTIAL, BLOCK]);
  const compile = (template: ParsedTemplate): Template => environment.compile(template.program, options);
  for (const name of partials.names)
    environment.registerPartial(
      name,
      noting(name, () => compile(partials.parsed(name))),
    );
  const inDiagnostics = diagnosed(folder, file);
  const main = inDiagnostics(() => {
    const template = parsed(source);
    checkPartials(template, partials);
    return template;
  });
  const render = renderWith(compile(main));
  return (view, language) =>
    inDiagnostics(() => {
      const field = hiddenField(view, names);
      if (field !== undefined) throw new Error(`the helper ${field} hides the field ${field} of the view.`);
      try {
        return render(view, language);
      } catch (error) {
        throw isOverflow(error) ? endlessPartials(main, partials) : error;
      }
    });
}

type Template = (view: unknown, options?: object) => string;

/** Reads each partial once, and notes in what is thrown that it is of that. */
function remembered(parse: (name: string) => ParsedTemplate): (name: string) => ParsedTemplate {
  const known = new Map<string, ParsedTemplate>();
  return (name) => {
    const parsed = known.get(name) ?? notingIn(name, () => parse(name));
    known.set(name, parsed);
    return parsed;
  };
}

/** The partial `name`, compiled when it is first rendered. */
function noting(name: string, compile: () => Template): Template {
  let template: Template | undefined;
  return (view, options) => notingIn(name, () => (template ??= compile())(view, options));
}

function notingIn<T>(name: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Error) || isOverflow(error)) throw error;
    const fault = asTemplateError(error);
    fault.partial ??= name;
    throw fault;
  }
}

/** Runs something, whose errors are diagnostics of `file`, or of a partial that it has. */
function diagnosed({ label }: TemplateFolder, file: string): <T>(run: () => T) => T {
  return (run) => {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      throw new DiagnosticError(diagnosticOf(asTemplateError(error), label, file));
    }
  };
}

function diagnosticOf(
  { message, at, partial }: TemplateError,
  label: string,
  file: string,
): ReturnType<typeof createDiagnostic> {
  const path = `${label}/${partial === undefined ? file : partialFile(partial)}`;
  const user = partial === undefined ? '' : ` (It is a part of ${file}.)`;
  return createDiagnostic(
    'invalid-template',
    { file: path, reason: `${message}${user}` },
    { at: at && { kind: 'code', file: path, ...at } },
  );
}
