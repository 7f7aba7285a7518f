/** MCPG5xx: writing a project, and its user's own files. */
import { defineDiagnostic } from '../define.ts';
import { editDiagnostics, lockDiagnostics, mergeDiagnostics } from './edits.ts';
import { handlerDiagnostics, overlayDiagnostics, targetDiagnostics } from './targets.ts';

const runDiagnostics = {
  'built-data-kept': defineDiagnostic<{ path: string }>({
    code: 'MCPG596',
    severity: 'info',
    message: ({ path }) => `${path} was changed after it had been copied there, and stays as it is.`,
    hint: ({ path }) => `To get it from src/app/ again, delete ${path}.`,
  }),
  'feature-changed': defineDiagnostic<{ feature: string; uses: string; change: 'added' | 'left out' }>({
    code: 'MCPG597',
    severity: 'info',
    message: ({ feature, uses, change }) => {
      if (change === 'left out')
        return `Nothing in the project needs the feature ${feature} any more, so it is left out.`;
      return uses === ''
        ? `src/handlers/ imports types of the feature ${feature}, so the project gets it.`
        : `src/handlers/ uses ${uses}, so the project gets the feature ${feature}.`;
    },
    hint: ({ feature, change }) =>
      change === 'left out'
        ? `To keep it, name it in the configuration: \`mcpgen generate --feature ${feature}\`.`
        : 'Nothing has to be done. The feature is left out again once no handler uses it.',
  }),
  'feature-without-base': defineDiagnostic<{ features: string; base: string; addedBy: string }>({
    code: 'MCPG594',
    severity: 'warning',
    message: ({ features, base }) =>
      `These features of the configuration need ${base}, so they are left out: ${features}.`,
    hint: ({ addedBy }) => `Remove them from \`features\`. Or: ${addedBy}`,
  }),
  'write-unfinished': defineDiagnostic<{ dir: string; reason: string }>({
    code: 'MCPG512',
    message: ({ dir, reason }) =>
      `${dir} has old and new files, since a file could not be replaced: ${reason}.`,
    hint: 'Correct the cause, and run the same command again: it completes the project.',
  }),
  'leftover-file': defineDiagnostic<{ file: string }>({
    code: 'MCPG513',
    severity: 'warning',
    message: ({ file }) => `${file}, a temporary file of an interrupted run, could not be removed.`,
    hint: 'Delete the file.',
  }),
  'project-changed-meanwhile': defineDiagnostic<{ dir: string }>({
    code: 'MCPG526',
    message: ({ dir }) => `Another run of mcpgen changed ${dir} during this one. This run changed nothing.`,
    hint: 'Run again.',
  }),
};

const hookDiagnostics = {
  'hook-failed': defineDiagnostic<{ file: string; reason: string } | { file: string; unusable: string }>({
    code: 'MCPG555',
    message: (parameters) =>
      'unusable' in parameters
        ? `What the hook onModel of ${parameters.file} returned cannot be used: ${parameters.unusable}.`
        : `The hook onModel of ${parameters.file} threw an error: ${parameters.reason}`,
    hint: (parameters) =>
      'unusable' in parameters
        ? 'A model is as in schema/server-model.json; `mcpgen inspect --json` prints the one that the hook receives.'
        : 'Correct the hook. Nothing was written.',
  }),
  'user-code-ended': defineDiagnostic<{ code: string; ending: string }>({
    code: 'MCPG559',
    message: ({ code, ending }) => `mcpgen stopped: ${code} ${ending}.`,
    hint: 'Throw an error to stop, settle and await each promise, and catch errors in timers and listeners.',
  }),
};

const templateDiagnostics = {
  'templates-not-found': defineDiagnostic<{ folder: string }>({
    code: 'MCPG520',
    message: ({ folder }) => `The template folder ${folder} does not exist.`,
    hint: 'Check the path. --templates is relative to the working folder, `templates` in a configuration to its own folder.',
  }),
  'unknown-template': defineDiagnostic<{ template: string; suggestion: string; known: string }>({
    code: 'MCPG521',
    message: ({ template }) => `The template ${template} has no effect, since no project file uses it.`,
    hint: ({ suggestion, known }) =>
      suggestion === '' ? `Templates are: ${known}` : `Did you mean ${suggestion}? Templates are: ${known}`,
  }),
  'invalid-template': defineDiagnostic<{ file: string; reason: string }>({
    code: 'MCPG522',
    message: ({ file, reason }) => `The template ${file} cannot be used: ${reason}`,
    hint: 'Correct the template, or remove it to use the built-in one.',
  }),
};

const originDiagnostics = {
  'origin-not-accepted': defineDiagnostic<{ file: string; places: string; origins: string; command: string }>(
    {
      code: 'MCPG580',
      message: ({ file, places }) =>
        `The server would send credentials to origins that ${file} does not name: ${places}. Nothing was written or sent.`,
      hint: ({ origins, command }) =>
        command === ''
          ? `If the API's operator confirms them, pass \`acceptOrigins: ${origins}\`.`
          : `If the API's operator confirms them, run \`${command}\`.`,
    },
  ),
  'credential-origins': defineDiagnostic<{ places: string }>({
    code: 'MCPG581',
    severity: 'info',
    message: ({ places }) => `The server can send new credentials to known origins: ${places}.`,
    hint: "Before you set the variables, compare the origins with the API's documentation.",
  }),
  'requests-elsewhere': defineDiagnostic<{ file: string; origins: string }>({
    code: 'MCPG583',
    severity: 'warning',
    message: ({ file, origins }) =>
      `Requests without credentials go to origins that ${file} does not name: ${origins}. They contain tool arguments, and headers that a hook adds or that the server passes on.`,
    hint: "Ask the API's operator whether it moved.",
  }),
  'origins-taken-up': defineDiagnostic<{ file: string }>({
    code: 'MCPG584',
    severity: 'info',
    message: ({ file }) =>
      `${file} lists no origins for credentials, or its list was edited. mcpgen uses the project’s generated bindings instead.`,
    hint: 'Run `mcpgen generate` and commit the lock, which then lists them.',
  }),
};

export const writeDiagnostics = {
  ...targetDiagnostics,
  ...runDiagnostics,
  ...editDiagnostics,
  ...lockDiagnostics,
  ...originDiagnostics,
  ...mergeDiagnostics,
  ...handlerDiagnostics,
  ...templateDiagnostics,
  ...overlayDiagnostics,
  ...hookDiagnostics,
};
