/** MCPG5xx: templates of the user. */
import { define } from '../../define.ts';

export const templateDiagnostics = {
  'templates-not-found': define<{ folder: string }>({
    code: 'MCPG520',
    severity: 'error',
    message: ({ folder }) => `There is no folder ${folder} to take templates from.`,
    hint: 'Check the path. That of --templates is taken from the working folder, and that of a configuration from its own.',
    docs: {
      cause: 'The folder of templates does not exist, so the project would not look the way you want it.',
      fix: 'Give an existing folder, or leave the option out to use the built-in templates.',
    },
  }),
  'unknown-template': define<{ template: string; suggestion: string; known: string }>({
    code: 'MCPG521',
    severity: 'error',
    message: ({ template }) =>
      `No file of the project is made from a template ${template}, so it would have no effect.`,
    hint: ({ suggestion, known }) =>
      suggestion === '' ? `Templates are: ${known}` : `Did you mean ${suggestion}? Templates are: ${known}`,
    docs: {
      cause:
        'A template replaces the built-in one of the same name, path included. This name is none of them.',
      fix: 'Rename the template, or take it out of the folder. Templates are named as the files they make, with .hbs at the end: README.md.hbs, package.json.hbs, src/main.ts.hbs; the hint of the message lists them all.',
    },
  }),
  'no-such-template': define<{ template: string; suggestion: string }>({
    code: 'MCPG540',
    severity: 'error',
    message: ({ template }) => `There is no template ${template}.`,
    hint: ({ suggestion }) =>
      suggestion === '' ? 'Run `mcpgen templates list` for their names.' : `Did you mean ${suggestion}?`,
    docs: {
      cause:
        'Templates are named as the files that they make. No file of a project has this name, or it is made of data.',
      fix: 'Run `mcpgen templates list`, and name one of them, with or without .hbs.',
      example: 'mcpgen templates eject README',
    },
  }),
  'template-exists': define<{ file: string }>({
    code: 'MCPG541',
    severity: 'error',
    message: ({ file }) => `There is a template ${file} already, and it may have been changed.`,
    hint: 'Name another folder with `-o`, or overwrite it with `--force`, which keeps it as .orig.',
    docs: {
      cause: '`mcpgen templates eject` never writes over a template unasked. Nothing was written.',
      fix: 'Name another folder, or overwrite the template by --force.',
    },
  }),
  'invalid-template': define<{ file: string; reason: string }>({
    code: 'MCPG522',
    severity: 'error',
    message: ({ file, reason }) => `The template ${file} cannot be used: ${reason}`,
    hint: 'Correct the template, or take it out of the folder to use the built-in one.',
    docs: {
      cause:
        'A template has a syntax error, uses a helper or a field that does not exist, or makes a file that cannot be parsed; or a package.json without name, version, `"type": "module"`, or the scripts `build` and `test`. What stands at the place that is told makes the text at the line and column that the message names.',
      fix: 'Correct the place. `mcpgen templates eject` copies the built-in template of the same name, to compare it with.',
      example: '{{jsno name}}',
    },
  }),
};
