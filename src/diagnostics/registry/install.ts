/** MCPG575–578, MCPG63x, MCPG64x: configurations of clients. */
import { defineDiagnostic } from '../define.ts';

export const installDiagnostics = {
  'not-a-project': defineDiagnostic<{ dir: string; command: string; below: string }>({
    code: 'MCPG630',
    severity: 'error',
    message: ({ dir }) => `${dir} is not the folder of a project: it has no mcpgen.lock.`,
    hint: ({ command, below }) =>
      below !== ''
        ? `Name the folder of the project: ${below}.`
        : `Name the folder that mcpgen wrote: \`${command} <folder>\`. \`mcpgen generate\` writes it.`,
    docs: {
      cause:
        '`mcpgen install`, `uninstall` and `doctor` are about the server of an emitted project. The folder is none, or `output` of its configuration puts the project elsewhere.',
      fix: 'Name the folder of the project, or run `mcpgen generate` first. `mcpgen uninstall --name <name>` needs no project.',
      example: 'mcpgen install . --client cursor',
    },
  }),
  'no-client': defineDiagnostic<{ command: string; clients: string }>({
    code: 'MCPG631',
    severity: 'error',
    message: ({ clients }) => `No client is named. Found on this machine: ${clients}.`,
    hint: ({ command }) => `Name one or several: \`${command} --client claude-code,cursor\`.`,
    docs: {
      cause:
        '`mcpgen install` and `uninstall` change the configuration of a client, so they do nothing before one is named.',
      fix: 'Add `--client` with a name that `mcpgen install --help` lists. A client counts as found if its configuration exists.',
      example: 'mcpgen install petstore-mcp',
    },
  }),
  'no-such-scope': defineDiagnostic<{ client: string; scope: string; other: string }>({
    code: 'MCPG632',
    severity: 'error',
    message: ({ client, scope }) => `${client} has no configuration of the scope ${scope}.`,
    hint: ({ other }) => `Use \`--scope ${other}\`.`,
    docs: {
      cause:
        'Claude Desktop and Windsurf have one configuration for the account; only the others also read one from the folder of a project.',
      fix: 'Use `--scope user` for this client.',
      example: 'mcpgen install petstore-mcp --client windsurf --scope project',
    },
  }),
  'client-config-unfit': defineDiagnostic<{ file: string; problem: string; fix: string }>({
    code: 'MCPG576',
    severity: 'error',
    message: ({ file, problem }) => `mcpgen does not change ${file}: ${problem}.`,
    hint: ({ fix }) => fix,
    docs: {
      cause:
        'The configuration of the client does not parse, has another form than the client documents, or cannot be read safely. A change could lose what it says.',
      fix: 'Correct the file at the place that the message names. `mcpgen install --print` prints the entry, to add it by hand.',
      example: '{ "mcpServers": [] }',
    },
  }),
  'client-config-changed': defineDiagnostic<{ file: string }>({
    code: 'MCPG575',
    severity: 'error',
    message: ({ file }) => `${file} changed while mcpgen was at work, so mcpgen did not write it.`,
    hint: 'Run the command again. If it fails again, close the client first.',
    docs: {
      cause:
        'Another program, probably the client itself, wrote the file after mcpgen had read it. Writing now would lose that change.',
      fix: 'Close the client, or wait until it has saved, and run the command again.',
    },
  }),
  'entry-of-another': defineDiagnostic<{ name: string; file: string; command: string }>({
    code: 'MCPG635',
    severity: 'error',
    message: ({ name, file }) =>
      `${file} has a server "${name}" that starts something else, or has another URL.`,
    hint: ({ command }) => `Use another name (\`${command} --name …\`), or \`--replace\`.`,
    docs: {
      cause:
        'An entry of this name starts neither the program of the project nor its package, or has another URL than `--url` and `hostedUrl`. It may be another server, or the project at an earlier place.',
      fix: 'Say the URL of the entry with `--url` to remove it, use `--name` for an entry beside it, or `--replace` if the entry may go. The backup beside the file keeps it.',
      example: '{ "mcpServers": { "petstore-mcp": { "command": "docker" } } }',
    },
  }),
  'entry-name-too-long': defineDiagnostic<{ name: string; client: string; tools: string; fitting: string }>({
    code: 'MCPG636',
    severity: 'error',
    message: ({ name, client, tools }) =>
      `${client} cannot use ${tools} of a server called "${name}": the names get too long together.`,
    hint: ({ fitting }) => fitting,
    docs: {
      cause:
        "Clients put the entry's name before the names of tools, and their limit is for both together: `mcp__<server>__<tool>` has at most 64 characters in Claude Code, 63 with `mcp_<server>_<tool>` in Gemini CLI; Cursor takes fewer than 60. Gemini CLI also ends the server's name at its first `_`.",
      fix: 'Use a shorter `--name`, or shorter tool names: `maxNameLength` in the configuration with `mcpgen generate --rename`.',
      example:
        'mcpgen install petstore-mcp --client cursor --name a-name-that-leaves-no-room-for-the-names-of-the-tools',
    },
  }),
  'entry-name-long': defineDiagnostic<{ name: string; client: string; tools: string; fitting: string }>({
    code: 'MCPG637',
    severity: 'warning',
    message: ({ name, client, tools }) =>
      `${client} cuts or refuses ${tools}: their names get too long together with "${name}".`,
    hint: ({ fitting }) => fitting,
    docs: {
      cause: 'As MCPG636, for the name that the server has by itself.',
      fix: 'Add `--name` with a shorter name for this client.',
    },
  }),
  'client-without-variables': defineDiagnostic<{ client: string; variables: string }>({
    code: 'MCPG638',
    severity: 'error',
    message: ({ client, variables }) =>
      `${client} has no variables in its configuration, so the values of ${variables} would stand in the file.`,
    hint: 'Put them into the file .env of the project, which the server reads. Or consent with --write-values.',
    docs: {
      cause:
        'Other clients put the value of an environment variable where an entry names it. This one passes texts on as they are.',
      fix: 'Leave `--env` out and use `.env` beside the package.json of the project, or add `--write-values`. On a terminal mcpgen asks.',
      example: 'mcpgen install petstore-mcp --client claude-desktop --env API_KEY_SHOPKEY',
    },
  }),
  'variable-without-value': defineDiagnostic<{ variables: string }>({
    code: 'MCPG639',
    severity: 'error',
    message: ({ variables }) => `There is no value to write: ${variables} is not set.`,
    hint: 'Set it for the command.',
    docs: {
      cause: '`--write-values` takes the values from the environment of the command.',
      fix: 'Set the variables, in the shell or by a tool that keeps secrets, and run the command again.',
      example: 'mcpgen install petstore-mcp --client zed --env API_KEY_SHOPKEY --write-values',
    },
  }),
  'too-many-for-client': defineDiagnostic<{ client: string; tools: number; most: number; lever: string }>({
    code: 'MCPG640',
    severity: 'warning',
    message: ({ client, tools, most }) =>
      `${client} uses ${most} tools at most, and the server lists ${tools}.`,
    hint: ({ lever }) => lever,
    docs: {
      cause:
        'The client drops or refuses tools above its limit. A server with the feature `search` can list five tools that find and call the others.',
      fix: 'Add the feature, or select fewer tools.',
    },
  }),
  'values-in-project': defineDiagnostic<{ variables: string; file: string }>({
    code: 'MCPG641',
    severity: 'warning',
    message: ({ variables, file }) => `The values of ${variables} stand in ${file}, a file of the project.`,
    hint: 'Keep it out of Git, or use `--scope user`.',
    docs: {
      cause:
        'Files of the scope project are usually committed, and everybody who reads them reads the values.',
      fix: 'Name the file in `.gitignore`, use `--scope user`, or put the values into `.env` beside the package.json of the server.',
      example:
        'mcpgen install petstore-mcp --client zed --scope project --env API_KEY_SHOPKEY --write-values',
    },
  }),
  'publishing-unread': defineDiagnostic<{ dir: string; because: string }>({
    code: 'MCPG643',
    severity: 'warning',
    message: ({ dir, because }) =>
      `The configuration in ${dir} was not read for \`publish\` and \`hostedUrl\`. ${because}`,
    hint: 'To use them, correct or allow the configuration, and run the command again. To name the address of a hosted server, use `--url`.',
    docs: {
      cause:
        '`mcpgen install --published` starts a package that is published on npm by `npx`, and `mcpgen uninstall` recognises the entry of a hosted server. The configuration says both, but it has errors, or is code and `--no-code` is set. The entry is made without it.',
      fix: 'Run `mcpgen check` to see all problems of the configuration.',
      example: 'mcpgen install petstore-mcp --client cursor --published --no-code',
    },
  }),
  'client-command-failed': defineDiagnostic<{ command: string; reason: string }>({
    code: 'MCPG577',
    severity: 'error',
    message: ({ command, reason }) => `\`${command}\` failed: ${reason}.`,
    hint: 'Run it by hand to see more. `mcpgen install --print` prints the entry.',
    docs: {
      cause:
        'Claude Code rewrites its configuration while it runs, so its own command changes the user scope.',
      fix: 'Update Claude Code, or add the entry by hand.',
    },
  }),
  'client-may-rewrite': defineDiagnostic<{ client: string; file: string; because: string }>({
    code: 'MCPG578',
    severity: 'info',
    message: ({ client, file, because }) =>
      `${because}, so mcpgen changed ${file} itself. A running ${client} may write its own state over it.`,
    hint: 'If the server does not appear, close all sessions and run the command again.',
    docs: {
      cause: 'Claude Code keeps its configuration in memory and writes the whole file now and then.',
      fix: 'Put `claude` into PATH, so that its own command makes the change, or close Claude Code before. An entry with values in `env` or `headers` never goes through that command: name the variables by `--env` instead, and remove the values.',
    },
  }),
};
