import { readFile } from 'node:fs/promises';
import { createDiagnostic, DiagnosticError } from '../../diagnostics/collector.ts';
import { type Helper, helpers, type Language } from './helpers.ts';

export type Render = (view: object, language: Language) => string;

/**
 * Compiles the template in `file`. With `userFile`, its name for the user, faults in it (now or when rendering) are
 * thrown as `DiagnosticError`; a fault in a built-in template is a bug.
 */
export async function compileTemplate(file: URL, userFile?: string): Promise<Render> {
  const [{ default: handlebars }, source] = await Promise.all([import('handlebars'), readFile(file, 'utf8')]);
  const environment = handlebars.create();
  for (const [name, helper] of Object.entries(helpers))
    environment.registerHelper(name, located(name, helper));
  const template = environment.compile<object>(source.replaceAll('\r\n', '\n'), {
    noEscape: true,
    strict: true,
    knownHelpersOnly: true,
    knownHelpers: Object.fromEntries(Object.keys(helpers).map((name) => [name, true])),
  });
  return (view, language) => {
    try {
      return template(view, { data: { language } });
    } catch (error) {
      if (userFile === undefined || !(error instanceof Error)) throw error;
      throw new DiagnosticError(
        createDiagnostic('invalid-template', { file: userFile, reason: error.message }),
      );
    }
  };
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
