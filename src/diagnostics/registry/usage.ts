/** MCPG6xx: the command line and configuration. An error among these ends with exit code 2. */
import { defineDiagnostic } from '../define.ts';

export const usageDiagnostics = {
  'invalid-usage': defineDiagnostic<{ problem: string; suggestion: string; command: string }>({
    code: 'MCPG601',
    severity: 'error',
    message: ({ problem, suggestion }) => `Invalid command line: ${problem}.${suggestion}`,
    hint: ({ command }) => `Run \`${command} --help\` for the commands and options.`,
    docs: {
      cause:
        'A command, argument or option is unknown, missing or repeated. mcpgen read and wrote nothing, since guessing could compile the wrong thing.',
      fix: 'Compare the command with `mcpgen --help` or `mcpgen <command> --help`.',
      example: 'mcpgen openapi petstore.yaml --outptu out',
    },
  }),
  'invalid-option': defineDiagnostic<{ option: string; value: string; expected: string }>({
    code: 'MCPG602',
    severity: 'error',
    message: ({ option, value, expected }) => `${option} cannot be "${value}". ${expected}`,
    docs: {
      cause: 'An option has a value that it cannot use. mcpgen read and wrote nothing.',
      fix: 'Use a value of the form that the message gives. `mcpgen <command> --help` lists every option.',
      example: 'mcpgen openapi petstore.yaml --max-name-length many',
    },
  }),
  'invalid-route-map': defineDiagnostic<{ file: string; problem: string }>({
    code: 'MCPG605',
    severity: 'error',
    message: ({ file, problem }) => `The route map ${file} cannot be used: ${problem}.`,
    hint: 'A route map is a JSON or YAML list of `{ methods, path, tags, operationId, deprecated, as }`.',
    docs: {
      cause:
        'The file for `--route-map` is missing, has a syntax error, or contains an invalid rule. mcpgen skips no rule, since the wrong operations would become tools.',
      fix: 'Correct the rule in the message. Each rule needs `as: tool | resource | template | exclude`. Its other members limit which operations it matches, and the first matching rule wins.',
      example: '- { methods: [GET], path: /admin/**, as: nothing }',
    },
  }),
  'stdin-taken': defineDiagnostic({
    code: 'MCPG606',
    severity: 'error',
    message: () =>
      'The document and the MCP client cannot both use standard input, so the server could not receive requests.',
    hint: 'Save the document to a file first, or add `--transport http`.',
    docs: {
      cause:
        '`mcpgen serve -` reads the document from standard input, which the stdio transport needs for the protocol.',
      fix: 'Use a file or a URL, or serve over HTTP: `mcpgen serve - --transport http`.',
      example: 'cat petstore.yaml | mcpgen serve -',
    },
  }),
  'no-source-kept': defineDiagnostic<{ file: string; dir: string }>({
    code: 'MCPG609',
    severity: 'error',
    message: ({ file }) =>
      `The project was compiled from standard input, so ${file} names no document to compile again.`,
    hint: ({ dir }) => `Save the document to a file and run \`mcpgen openapi <file> -o ${dir}\` once.`,
    docs: {
      cause:
        '`mcpgen generate`, `check` and `inspect` read the document that mcpgen.config.json names. `mcpgen openapi -` created this project, and standard input has no name.',
      fix: 'Compile once from a file or a URL into the same folder, which updates the configuration. Or set "source" in mcpgen.config.json to the file.',
      example: '{ "source": "-" }',
    },
  }),
  'project-not-built': defineDiagnostic<{ file: string; dir: string }>({
    code: 'MCPG610',
    severity: 'error',
    message: ({ file }) => `${file} does not exist, so there is no server to run.`,
    hint: ({ dir }) => `Run \`mcpgen generate ${dir}\`, or \`npm install && npm run build\` in the folder.`,
    docs: {
      cause:
        "`mcpgen serve <dir>` runs the server from the project's dist/ folder, which does not exist. A fresh clone has none, since dist/ is not in version control.",
      fix: 'Run `mcpgen generate <dir>`, or `npm install && npm run build` in the project.',
      example: 'mcpgen serve petstore-mcp',
    },
  }),
  'cannot-watch': defineDiagnostic<{ folder: string; reason: string }>({
    code: 'MCPG612',
    severity: 'error',
    message: ({ folder, reason }) =>
      `mcpgen cannot watch the folder ${folder} (${reason}), so \`--watch\` would miss changes.`,
    hint: 'On Linux, ENOSPC and EMFILE mean that the limit of watched folders is reached: raise `fs.inotify.max_user_watches` and `fs.inotify.max_user_instances` (sysctl), or name fewer files.',
    docs: {
      cause:
        'The operating system watches a limited number of folders, and some file systems report no changes.',
      fix: 'Raise the limit (on Linux `sysctl fs.inotify.max_user_watches=524288`), stop other programs that watch files, or run the command without `--watch` after each change.',
      example: 'mcpgen generate petstore-mcp --watch',
    },
  }),
  'unknown-diagnostic': defineDiagnostic<{ query: string; suggestion: string }>({
    code: 'MCPG608',
    severity: 'error',
    message: ({ query, suggestion }) =>
      `There is no diagnostic "${query}".${suggestion === '' ? '' : ` Did you mean ${suggestion}?`}`,
    hint: 'Run `mcpgen explain` for the list.',
    docs: {
      cause: 'No diagnostic has the code or name that `mcpgen explain` received.',
      fix: 'Use a code such as `MCPG101`, its number, or a name such as `source-not-found`. `mcpgen explain` without arguments lists all.',
      example: 'mcpgen explain MCPG999',
    },
  }),
  'port-unusable': defineDiagnostic<{ port: string; because: string }>({
    code: 'MCPG642',
    severity: 'error',
    message: ({ port, because }) => `Port ${port} cannot be used: ${because}.`,
    hint: 'Give another `--port`, or none for a free one.',
    docs: {
      cause:
        'Another program listens on the port of `mcpgen preview`, or the system keeps the port for itself.',
      fix: 'Give another port, or leave `--port` out: the system then chooses a free one.',
      example: 'mcpgen preview petstore.yaml --port 3000',
    },
  }),
  'no-surface': defineDiagnostic<{ source: string; problem: string }>({
    code: 'MCPG613',
    severity: 'error',
    message: ({ source, problem }) => `mcpgen found nothing to compare in ${source}: ${problem}.`,
    hint: 'Name a document, files of annotated functions, an emitted project, or the output of `mcpgen inspect --json`.',
    docs: {
      cause:
        '`mcpgen diff` reads `src/generated/catalog.json` of a project. The folder has none, or an invalid one.',
      fix: 'Name the folder of an emitted project. To compare what a configuration compiles to, name its file: `mcpgen.config.json`.',
      example: 'mcpgen diff some-other-folder petstore.yaml',
    },
  }),
};
