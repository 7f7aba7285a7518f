/** MCPG576–578, MCPG63x, MCPG64x: configurations of clients. */
import { defineDiagnostic } from '../define.ts';

export const installDiagnostics = {
  'not-a-project': defineDiagnostic<{ dir: string; command: string; below: string }>({
    code: 'MCPG630',
    message: ({ dir }) => `${dir} is not the folder of a project: it has no mcpgen.lock.`,
    hint: ({ command, below }) =>
      below !== ''
        ? `Name the folder of the project: ${below}.`
        : `Name the folder that mcpgen wrote: \`${command} <folder>\`. \`mcpgen generate\` writes it.`,
  }),
  'client-config-unfit': defineDiagnostic<{ file: string; problem: string; fix: string }>({
    code: 'MCPG576',
    message: ({ file, problem }) => `mcpgen does not change ${file}: ${problem}.`,
    hint: ({ fix }) => fix,
  }),
  'entry-of-another': defineDiagnostic<{ name: string; file: string; command: string }>({
    code: 'MCPG635',
    message: ({ name, file }) =>
      `${file} has a server "${name}" that starts something else, or has another URL.`,
    hint: ({ command }) => `Use another name (\`${command} --name …\`), or \`--force\`.`,
  }),
  'client-without-variables': defineDiagnostic<{ client: string; variables: string }>({
    code: 'MCPG638',
    message: ({ client, variables }) =>
      `${client} has no variables in its configuration, so the values of ${variables} would be written into the file.`,
    hint: 'Put them into the file .env of the project, which the server reads.',
  }),
  'client-command-failed': defineDiagnostic<{ command: string; reason: string }>({
    code: 'MCPG577',
    message: ({ command, reason }) => `\`${command}\` failed: ${reason}.`,
    hint: 'Run it by hand to see more. `mcpgen install --dry-run` prints the entry.',
  }),
  'client-may-rewrite': defineDiagnostic<{ client: string; file: string; because: string }>({
    code: 'MCPG578',
    severity: 'info',
    message: ({ client, file, because }) =>
      `${because}, so mcpgen edited ${file} directly. A running ${client} may overwrite that.`,
    hint: 'If the server does not appear, close all sessions and run the command again.',
  }),
};
