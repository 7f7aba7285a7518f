/** MCPG6xx: the command line and configuration. An error among these ends with exit code 2. */
import { defineDiagnostic } from '../define.ts';

export const usageDiagnostics = {
  'invalid-usage': defineDiagnostic<{ problem: string; suggestion: string; command: string }>({
    code: 'MCPG601',
    message: ({ problem, suggestion }) => `Invalid command line: ${problem}.${suggestion}`,
    hint: ({ command }) => `Run \`${command} --help\` for the commands and options.`,
  }),
  'invalid-option': defineDiagnostic<{ option: string; value: string; expected: string }>({
    code: 'MCPG602',
    message: ({ option, value, expected }) => `${option} cannot be "${value}". ${expected}`,
  }),
  'stdin-taken': defineDiagnostic({
    code: 'MCPG606',
    message: () =>
      'The document and the MCP client cannot both use standard input, so the server could not receive requests.',
    hint: 'Save the document to a file first, or add `--transport http`.',
  }),
  'no-source-kept': defineDiagnostic<{ file: string; dir: string }>({
    code: 'MCPG609',
    message: ({ file }) =>
      `The project was compiled from standard input, so ${file} names no document to compile again.`,
    hint: ({ dir }) => `Save the document to a file and run \`mcpgen openapi <file> -o ${dir}\` once.`,
  }),
  'project-not-built': defineDiagnostic<{ file: string; dir: string }>({
    code: 'MCPG610',
    message: ({ file }) => `${file} does not exist, so there is no server to run.`,
    hint: ({ dir }) => `Run \`mcpgen generate ${dir}\`, or \`npm install && npm run build\` in the folder.`,
  }),
  'no-surface': defineDiagnostic<{ source: string; problem: string }>({
    code: 'MCPG613',
    message: ({ source, problem }) => `mcpgen found nothing to compare in ${source}: ${problem}.`,
    hint: 'Name a document, files of annotated functions, an emitted project, or the output of `mcpgen inspect --json`.',
  }),
};
