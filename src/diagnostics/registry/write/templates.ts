/** MCPG5xx: templates of the user. */
import { define } from '../../define.ts';

export const templateDiagnostics = {
  'templates-not-found': define<{ folder: string }>({
    code: 'MCPG520',
    severity: 'error',
    message: ({ folder }) => `The template folder ${folder} does not exist.`,
    hint: 'Check the path. --templates is relative to the working folder, `templates` in a configuration to its own folder.',
    docs: {
      cause: 'Without the template folder, mcpgen would write the default project.',
      fix: 'Use an existing folder, or omit the option to use the built-in templates.',
    },
  }),
  'unknown-template': define<{ template: string; suggestion: string; known: string }>({
    code: 'MCPG521',
    severity: 'error',
    message: ({ template }) => `The template ${template} has no effect, since no project file uses it.`,
    hint: ({ suggestion, known }) =>
      suggestion === '' ? `Templates are: ${known}` : `Did you mean ${suggestion}? Templates are: ${known}`,
    docs: {
      cause:
        'A template replaces the built-in one with the same name and path, but no built-in one has this name.',
      fix: 'Rename or remove the template. Its name is the name of the generated file plus .hbs: README.md.hbs, package.json.hbs, src/main.ts.hbs. The hint lists all templates.',
    },
  }),
  'no-such-template': define<{ template: string; suggestion: string }>({
    code: 'MCPG540',
    severity: 'error',
    message: ({ template }) => `There is no template ${template}.`,
    hint: ({ suggestion }) =>
      suggestion === '' ? 'Run `mcpgen templates list` for all names.' : `Did you mean ${suggestion}?`,
    docs: {
      cause:
        'A template has the name of its generated file. No file has this name, or the file has no template.',
      fix: 'Run `mcpgen templates list` and use one of these names, with or without .hbs.',
      example: 'mcpgen templates eject README',
    },
  }),
  'template-exists': define<{ file: string }>({
    code: 'MCPG541',
    severity: 'error',
    message: ({ file }) => `The template ${file} already exists and may contain changes.`,
    hint: 'Name another folder with `-o`, or overwrite it with `--force`, which keeps a copy as .orig.',
    docs: {
      cause: '`mcpgen templates eject` does not overwrite templates by default. Nothing was written.',
      fix: 'Name another folder, or overwrite the template with --force.',
    },
  }),
  'invalid-template': define<{ file: string; reason: string }>({
    code: 'MCPG522',
    severity: 'error',
    message: ({ file, reason }) => `The template ${file} cannot be used: ${reason}`,
    hint: 'Correct the template, or remove it to use the built-in one.',
    docs: {
      cause:
        'A template has a syntax error, uses an unknown helper or field, or produces an invalid file, such as a package.json without name, version, `"type": "module"`, or the scripts `build` and `test`. The line and column in the message are those of the produced text.',
      fix: 'Correct the place. To compare, `mcpgen templates eject` copies the built-in template.',
      example: '{{jsno name}}',
    },
  }),
};
