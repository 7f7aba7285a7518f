/** MCPG6xx: the command line and configuration. An error among these ends with exit code 2. */
import { define } from '../define.ts';

export const usageDiagnostics = {
  'invalid-usage': define<{ problem: string; suggestion: string; command: string }>({
    code: 'MCPG601',
    severity: 'error',
    message: ({ problem, suggestion }) => `The command line cannot be understood: ${problem}.${suggestion}`,
    hint: ({ command }) => `Run \`${command} --help\` for the commands and options.`,
    docs: {
      cause:
        'A command, an argument or an option is unknown, missing or given twice. Nothing was read or written, since guessing could compile something else than you meant.',
      fix: 'Compare the command with `mcpgen --help` or `mcpgen <command> --help`.',
      example: 'mcpgen openapi petstore.yaml --outptu out',
    },
  }),
  'invalid-option': define<{ option: string; value: string; expected: string }>({
    code: 'MCPG602',
    severity: 'error',
    message: ({ option, value, expected }) => `${option} cannot be "${value}". ${expected}`,
    docs: {
      cause: 'An option was given a value that it cannot use. Nothing was read or written.',
      fix: 'Give a value of the form that the message names. `mcpgen <command> --help` lists every option.',
      example: 'mcpgen openapi petstore.yaml --max-name-length many',
    },
  }),
  'invalid-route-map': define<{ file: string; problem: string }>({
    code: 'MCPG605',
    severity: 'error',
    message: ({ file, problem }) => `The route map ${file} cannot be used: ${problem}.`,
    hint: 'A route map is a JSON or YAML list of `{ methods, path, tags, operationId, deprecated, as }`.',
    docs: {
      cause:
        'The file given with `--route-map` is missing, has a syntax error, or holds a rule that is not understood. No rule is skipped in silence: the wrong operations would become tools.',
      fix: 'Correct the rule that the message names. Each rule needs `as: tool | resource | template | exclude`; the other members narrow what it applies to, and the first rule that matches wins.',
      example: '- { methods: [GET], path: /admin/**, as: nothing }',
    },
  }),
  'stdin-taken': define({
    code: 'MCPG606',
    severity: 'error',
    message: () =>
      'The document is read from standard input, but over stdio that is where the client speaks. The server could not hear it.',
    hint: 'Save the document to a file first, or add `--transport http`.',
    docs: {
      cause:
        '`mcpgen serve -` reads the document from standard input, and the stdio transport needs it for the protocol.',
      fix: 'Give a file or a URL, or serve over HTTP: `mcpgen serve - --transport http`.',
      example: 'cat petstore.yaml | mcpgen serve -',
    },
  }),
  'no-source-kept': define<{ file: string; dir: string }>({
    code: 'MCPG609',
    severity: 'error',
    message: ({ file }) =>
      `The project was compiled from standard input, so ${file} names no document to compile it from again.`,
    hint: ({ dir }) =>
      `Save the document to a file and run \`mcpgen openapi <file> -o ${dir}\` once; after that this command works.`,
    docs: {
      cause:
        '`mcpgen generate`, `check` and `inspect` of a project read the document that its mcpgen.config.json names. The project was made by `mcpgen openapi -`, and standard input has no name.',
      fix: 'Compile once from a file or a URL into the same folder; the configuration then names it. Or set "source" in mcpgen.config.json to the file.',
      example: '{ "source": "-" }',
    },
  }),
  'project-not-built': define<{ file: string; dir: string }>({
    code: 'MCPG610',
    severity: 'error',
    message: ({ file }) => `There is no ${file}, so there is no server to run.`,
    hint: ({ dir }) =>
      `Run \`mcpgen generate ${dir}\`, which writes it, or \`npm install && npm run build\` in the folder.`,
    docs: {
      cause:
        '`mcpgen serve <dir>` runs the server of a project from its dist/ folder, and the folder is not there: it is not kept in version control, so a fresh clone has none.',
      fix: 'Run `mcpgen generate <dir>`, or `npm install && npm run build` in the project.',
      example: 'mcpgen serve petstore-mcp',
    },
  }),
  'cannot-watch': define<{ folder: string; reason: string }>({
    code: 'MCPG612',
    severity: 'error',
    message: ({ folder, reason }) =>
      `The folder ${folder} can't be watched for changes (${reason}), so \`--watch\` would miss some.`,
    hint: 'On Linux, ENOSPC and EMFILE mean that no more folders may be watched: raise `fs.inotify.max_user_watches` and `fs.inotify.max_user_instances` (sysctl), or name fewer files.',
    docs: {
      cause:
        'The system tells programs of changes in a limited number of folders, or not at all in some file systems.',
      fix: 'Raise the limit (on Linux `sysctl fs.inotify.max_user_watches=524288`), stop other programs that watch, or run the command without `--watch` when something has changed.',
      example: 'mcpgen generate petstore-mcp --watch',
    },
  }),
  'unknown-diagnostic': define<{ query: string; suggestion: string }>({
    code: 'MCPG608',
    severity: 'error',
    message: ({ query, suggestion }) =>
      `There is no diagnostic "${query}".${suggestion === '' ? '' : ` Did you mean ${suggestion}?`}`,
    hint: 'Run `mcpgen explain` for the list.',
    docs: {
      cause: '`mcpgen explain` was given a code or a name that no diagnostic has.',
      fix: 'Give a code such as `MCPG101`, its number alone, or a name such as `source-not-found`; `mcpgen explain` alone lists all.',
      example: 'mcpgen explain MCPG999',
    },
  }),
  'no-surface': define<{ source: string; problem: string }>({
    code: 'MCPG613',
    severity: 'error',
    message: ({ source, problem }) => `There is nothing to compare in ${source}: ${problem}.`,
    hint: 'Name a document, files of annotated functions, the folder of an emitted project, or what `mcpgen inspect --json` printed.',
    docs: {
      cause:
        '`mcpgen diff` reads what a project lists from its `src/generated/catalog.json`. The folder has none, or one that is not as mcpgen writes it.',
      fix: 'Name the folder of an emitted project. To compare what a configuration compiles to, name the file: `mcpgen.config.json`.',
      example: 'mcpgen diff some-other-folder petstore.yaml',
    },
  }),
};
