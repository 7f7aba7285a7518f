/** MCPG5xx: writing a project, and its user's own files. */
import { defineDiagnostic } from '../define.ts';
import { editDiagnostics, lockDiagnostics, mergeDiagnostics } from './edits.ts';
import { handlerDiagnostics, overlayDiagnostics, targetDiagnostics } from './targets.ts';

const runDiagnostics = {
  'feature-without-base': defineDiagnostic<{ features: string; base: string; addedBy: string }>({
    code: 'MCPG594',
    severity: 'warning',
    message: ({ features, base }) =>
      `The configuration names ${features}, which no server has without ${base}: left out.`,
    hint: ({ addedBy }) => `Take it out of \`features\`. Or: ${addedBy}`,
    docs: {
      cause:
        'Some features extend another one: `transfers`, `bodies`, `parameters` and `client-credentials` the client of an API, `exchange` the tokens of callers. In a project of functions alone, or without `auth`, they would have no effect.',
      fix: 'Take the feature out of `features` in the configuration, or add the source or the option that the hint names.',
    },
  }),
  'rollback-failed': defineDiagnostic<{ path: string; folder: string; reason: string }>({
    code: 'MCPG512',
    severity: 'error',
    message: ({ path, reason }) =>
      `Writing failed, and ${path} could not be restored (${reason}). The project now contains old and new files.`,
    hint: ({ folder }) => `The old files are in ${folder}: copy them back, or run mcpgen again.`,
    docs: {
      cause:
        'A write failed, and undoing the earlier ones also failed, for example because a disk was disconnected.',
      fix: 'Once the disk works, copy the files back from the folder in the message, or generate again.',
    },
  }),
  'leftover-folder': defineDiagnostic<{ folder: string }>({
    code: 'MCPG513',
    severity: 'warning',
    message: ({ folder }) => `The temporary folder ${folder} could not be removed. The project is complete.`,
    hint: 'Delete the folder.',
    docs: {
      cause:
        'mcpgen prepares files in a temporary folder. The operating system refused to remove it, perhaps because another program had a file open.',
      fix: 'Delete the folder.',
    },
  }),
  'run-undone': defineDiagnostic<{ dir: string; saved: string; place: 'repository' | 'folder' }>({
    code: 'MCPG523',
    severity: 'info',
    message: ({ dir, saved }) =>
      `An earlier run of mcpgen was interrupted while it changed ${dir}, so it was undone first.${saved === '' ? '' : ` Files that changed since then are unchanged; their versions before that run are kept as ${saved}.`}`,
    hint: ({ saved, place }) =>
      place === 'repository'
        ? 'Check the project with `git status`, for example if you switched branches since then.'
        : saved === ''
          ? 'Nothing to do: the project is as it was before that run.'
          : 'Compare each copy with the file beside it, then delete it.',
    docs: {
      cause:
        'mcpgen was killed, or the machine stopped, while it wrote a project. This run restored the project from its journal.',
      fix: 'If the message names no copies, the project is complete, and this run continued from there. Otherwise, a person or git changed a file in between: the file stays, and its earlier version is beside it as <name>.orig.',
    },
  }),
  'journal-damaged': defineDiagnostic<{ folder: string }>({
    code: 'MCPG524',
    severity: 'error',
    message: ({ folder }) =>
      `An interrupted run of mcpgen left ${folder}, but its journal is unreadable, so that run cannot be undone. Nothing was changed.`,
    hint: ({ folder }) =>
      `Restore the project from version control, or copy missing files from ${folder}/old, which has the previous versions. Then delete ${folder}.`,
    docs: {
      cause:
        "A run that is killed leaves a folder with copies of replaced files and a journal. The journal has this user's signature, but another version of mcpgen wrote it in a different format.",
      fix: 'Repair the project from version control or from the copies in `old/`, and delete the folder.',
    },
  }),
  'leftover-foreign': defineDiagnostic<{ folder: string }>({
    code: 'MCPG571',
    severity: 'warning',
    message: ({ folder }) =>
      `${folder} looks like the leftover of an interrupted run of mcpgen, but mcpgen did not write it for you on this machine, or it is in version control or contains links. It is ignored.`,
    hint: ({ folder }) =>
      `If it came with the repository, delete it. If one of your runs was interrupted, restore the project from version control or from ${folder}/old, which has the previous files. Then delete the folder.`,
    docs: {
      cause:
        "An interrupted run leaves a folder `.mcpgen-<process>-<random>-<signature>` with copies of files and a journal, which the next run undoes and removes. A repository or archive could contain a fake one that moves files. So mcpgen requires signatures for this folder with a key from the user's cache folder (`$XDG_CACHE_HOME/mcpgen/journal.key`, by default in `~/.cache`, `~/Library/Caches` or `%LOCALAPPDATA%`). It ignores folders in version control, folders with links, and all if the key is missing. Leftovers of mcpgen 0.1.0, which signed no names, are also reported.",
      fix: 'Delete the folder if it is not yours. If one of your runs was interrupted, restore the project from version control or from `old/` in that folder, then delete it.',
    },
  }),
  'leftover-found': defineDiagnostic<{ dir: string; folder: string }>({
    code: 'MCPG572',
    severity: 'warning',
    message: ({ dir, folder }) =>
      `A run of mcpgen was interrupted while it wrote ${dir}, and left ${folder}. The project may contain old and new files.`,
    hint: 'Run `mcpgen generate`, which first undoes the interrupted run.',
    docs: {
      cause:
        'mcpgen was killed, or the machine stopped, before it finished. This command writes nothing, so it does not repair the project.',
      fix: 'Run `mcpgen generate` for the project, or compile to the folder again, which first undoes the interrupted run.',
    },
  }),
  'project-in-use': defineDiagnostic<{ dir: string; folder: string; process: number }>({
    code: 'MCPG525',
    severity: 'error',
    message: ({ dir, process }) =>
      `Another run of mcpgen (process ${String(process)}) is writing to ${dir}. Nothing was changed.`,
    hint: ({ folder, process }) =>
      `Run again when it has finished. If process ${String(process)} is another program, delete ${folder}.`,
    docs: {
      cause:
        'Two runs that write the same project would mix their files, for example two servers with one output folder, or `--watch` during a build.',
      fix: 'Run them one after the other, and give each server its own folder.',
    },
  }),
  'project-changed-meanwhile': defineDiagnostic<{ dir: string }>({
    code: 'MCPG526',
    severity: 'error',
    message: ({ dir }) => `Another run of mcpgen changed ${dir} during this one. This run changed nothing.`,
    hint: 'Run again.',
    docs: {
      cause:
        'mcpgen.lock changed after this run compared the project with its output: another run wrote it, or created the folder.',
      fix: 'Run again. If this happens often, two servers share one output folder: give each its own.',
    },
  }),
};

const hookDiagnostics = {
  'hook-failed': defineDiagnostic<{ hook: string; file: string; reason: string }>({
    code: 'MCPG555',
    severity: 'error',
    message: ({ hook, file, reason }) => `The hook ${hook} of ${file} threw an error: ${reason}`,
    hint: 'Correct the hook. Nothing was written.',
    docs: {
      cause: 'A function in "hooks" of the configuration threw or rejected during compilation.',
      fix: 'Correct the function at the place in the message, or remove it from "hooks".',
      example: 'export function onModel(model) {\n  model.tools[0].titel.trim();\n}',
    },
  }),
  'hook-broke-model': defineDiagnostic<{ file: string; problem: string }>({
    code: 'MCPG556',
    severity: 'error',
    message: ({ file, problem }) => `The hook onModel of ${file} produced an invalid model: ${problem}.`,
    hint: 'See schema/server-model.json. `mcpgen inspect --json` prints the model that hooks receive.',
    docs: {
      cause:
        'mcpgen checks the model that a hook returns or changes like its own: against its schema, and against rules for clients, such as unique names and a binding for each argument.',
      fix: 'Change the hook to fix the problem in the message. A resource must not reference a removed tool.',
      example: "export function onModel(model) {\n  model.tools[0].name = 'not a name';\n}",
    },
  }),
  'hook-broke-files': defineDiagnostic<{ file: string; problem: string }>({
    code: 'MCPG557',
    severity: 'error',
    message: ({ file, problem }) =>
      `The hook onFiles of ${file} produced files that cannot be written: ${problem}.`,
    hint: 'A file needs a unique `path` inside the project and a string `contents`.',
    docs: {
      cause:
        'A path is outside the project, occurs twice, or is reserved: the runtime, `dist/`, the configuration, the lock, git or npm. Or a file has no contents or invalid code, a file is missing that the project needs to build, run or test, or package.json, server.json or manifest.json is invalid. package.json needs name, version, type, and the scripts `build` and `test`.',
      fix: "Change what the hook adds. Remove only files that `omit` allows, and tests, except the last one. For files in src/handlers/, set `ownership: 'once'`.",
      example:
        "export function onFiles(files) {\n  files.push({ path: '../CODEOWNERS', contents: '* @me' });\n}",
    },
  }),
  'helper-name-taken': defineDiagnostic<{ helper: string; file: string }>({
    code: 'MCPG558',
    severity: 'error',
    message: ({ helper, file }) => `The helper ${helper} of ${file} has the name of a built-in helper.`,
    hint: 'Rename it, since templates with the built-in helper would break.',
    docs: {
      cause:
        'Your helpers cannot replace those of mcpgen or Handlebars, which prevent text of a document from becoming code or markup.',
      fix: 'Rename it in the module and in your templates.',
      example: 'export const json = (value) => JSON.stringify(value);',
    },
  }),
  'user-code-ended': defineDiagnostic<{ code: string; ending: string }>({
    code: 'MCPG559',
    severity: 'error',
    message: ({ code, ending }) => `mcpgen stopped: ${code} ${ending}.`,
    hint: 'Throw an error to stop, and settle each promise that it awaits.',
    docs: {
      cause:
        'A hook, a helper or your module called `exit`, or awaits a promise that never settles. mcpgen could not finish.',
      fix: 'Throw an error instead of ending the process; mcpgen reports its place. Look for a promise whose `resolve` is never called.',
      example: "import { exit } from 'node:process';\nexport const onModel = () => exit(0);",
    },
  }),
  'user-code-threw': defineDiagnostic<{ code: string; reason: string }>({
    code: 'MCPG560',
    severity: 'error',
    message: ({ code, reason }) => `${code} threw an uncaught error: ${reason}`,
    hint: 'Await its promises, and catch errors in timers and listeners.',
    docs: {
      cause:
        'Code of a hook, helper or configuration threw in a timer or listener, or a promise that it does not await was rejected. mcpgen could not finish.',
      fix: 'Await the promise or catch the error. To stop the run, throw from the hook itself.',
      example: "export function onModel() {\n  setTimeout(() => {\n    throw new Error('late');\n  });\n}",
    },
  }),
};

const templateDiagnostics = {
  'templates-not-found': defineDiagnostic<{ folder: string }>({
    code: 'MCPG520',
    severity: 'error',
    message: ({ folder }) => `The template folder ${folder} does not exist.`,
    hint: 'Check the path. --templates is relative to the working folder, `templates` in a configuration to its own folder.',
    docs: {
      cause: 'Without the template folder, mcpgen would write the default project.',
      fix: 'Use an existing folder, or omit the option to use the built-in templates.',
    },
  }),
  'unknown-template': defineDiagnostic<{ template: string; suggestion: string; known: string }>({
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
  'no-such-template': defineDiagnostic<{ template: string; suggestion: string }>({
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
  'template-exists': defineDiagnostic<{ file: string }>({
    code: 'MCPG541',
    severity: 'error',
    message: ({ file }) => `The template ${file} already exists and may contain changes.`,
    hint: 'Name another folder with `-o`, or overwrite it with `--force`, which keeps a copy as .orig.',
    docs: {
      cause: '`mcpgen templates eject` does not overwrite templates by default. Nothing was written.',
      fix: 'Name another folder, or overwrite the template with --force.',
    },
  }),
  'invalid-template': defineDiagnostic<{ file: string; reason: string }>({
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

const originDiagnostics = {
  'origin-not-accepted': defineDiagnostic<{ file: string; places: string; origins: string; command: string }>(
    {
      code: 'MCPG580',
      severity: 'error',
      message: ({ file, places }) =>
        `The server would send credentials to origins that ${file} does not name: ${places}. Nothing was written.`,
      hint: ({ origins, command }) =>
        command === ''
          ? `If the API's operator confirms them, pass \`acceptOrigins: ${origins}\`.`
          : `If the API's operator confirms them, run \`${command}\`.`,
      docs: {
        cause:
          'The lock stores the origins that receive each credential: those of servers, of servers of single operations and of token endpoints. The document, an overlay or `baseUrl` now names another one. Otherwise, anyone who can change a document could redirect credentials to their own host.',
        fix: "Ask the API's operator whether it moved, independently of the document. If so, run the command in the message: `--accept-origin` takes one exact origin and can be repeated. A configuration cannot contain it, since it comes with the document. If the API did not move, restore the old document.",
        example: 'servers: [{ url: https://api.example.com }] # https://api2.example.com by now',
      },
    },
  ),
  'credential-origins': defineDiagnostic<{ places: string }>({
    code: 'MCPG581',
    severity: 'info',
    message: ({ places }) =>
      `The server sends credentials to ${places}. mcpgen.lock stores these origins, and any other origin becomes an error.`,
    hint: "Before you set the variables, compare the origins with the API's documentation.",
    docs: {
      cause:
        'This is the first compilation of the project, so no origins are known. The message lists each origin with the variables that it receives.',
      fix: 'Nothing. If an origin is not part of the API, do not set the variables, and correct the document or set `baseUrl`.',
    },
  }),
  'credential-added': defineDiagnostic<{ places: string }>({
    code: 'MCPG582',
    severity: 'info',
    message: ({ places }) => `The server can send new credentials to known origins: ${places}.`,
    hint: 'The server sends the variables that are set.',
    docs: {
      cause:
        'The document has a new or renamed security scheme, or `x-mcp` gives an argument the value of another variable. The variables are new, but the lock already names the origin for another credential.',
      fix: 'Nothing, if the scheme or the rule is correct. Otherwise remove it: the server sends each of these variables that is set.',
    },
  }),
  'requests-elsewhere': defineDiagnostic<{ file: string; origins: string }>({
    code: 'MCPG583',
    severity: 'warning',
    message: ({ file, origins }) =>
      `Requests without credentials go to origins that ${file} does not name: ${origins}. They contain tool arguments, and headers that a hook adds or that the server passes on.`,
    hint: "Ask the API's operator whether it moved.",
    docs: {
      cause:
        'The document, an overlay or `baseUrl` names another server for operations without credentials. It receives data from callers, but no variables of security schemes.',
      fix: 'Nothing, if the API moved: the lock now names the origin. With `--strict` this is an error; `--accept-origin` allows the origin.',
    },
  }),
  'origins-taken-up': defineDiagnostic<{ file: string }>({
    code: 'MCPG584',
    severity: 'info',
    message: ({ file }) =>
      `${file} lists no origins for credentials, or its list was edited. mcpgen uses the project’s generated bindings instead.`,
    hint: 'Run `mcpgen generate` and commit the lock, which then lists them.',
    docs: {
      cause:
        'mcpgen 0.1.0 stored no origins in the lock, or someone or a merge changed the list, which has its own hash. mcpgen then reads the origins from `src/generated/bindings.json`, if that file matches the lock. Otherwise, no origin is known, and each needs to be accepted.',
      fix: 'Nothing: the next `mcpgen generate` writes the list. To add an origin, use `--accept-origin` instead of editing the lock.',
    },
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
