import { readFile } from 'node:fs/promises';
import { createDiagnostic, DiagnosticError } from '../../diagnostics/collector.ts';
import { helpers, type Language } from './helpers.ts';

export type Render = (view: object, language: Language) => string;

/**
 * Compiles the template in `file`. With `userFile`, its name for the user, faults in it (now or when rendering) are
 * thrown as `DiagnosticError`; a fault in a built-in template is a bug.
 */
export async function compileTemplate(file: URL, userFile?: string): Promise<Render> {
  const [{ default: handlebars }, source] = await Promise.all([import('handlebars'), readFile(file, 'utf8')]);
  const environment = handlebars.create();
  for (const [name, helper] of Object.entries(helpers)) environment.registerHelper(name, helper);
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
