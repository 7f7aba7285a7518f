import type { Flags } from '../../config/options/option-types.ts';
import type { Command } from 'commander';
import type { CommandContext } from '../outcome.ts';
import { addCommandOptions } from '../options.ts';

const EXAMPLES = `Examples:
  mcpgen install petstore-mcp --client claude-code
  mcpgen install petstore-mcp --client cursor,vscode --scope project --env API_KEY_SHOPKEY
  mcpgen install petstore-mcp --client codex --dry-run -- --read-only
`;

const UNINSTALL_EXAMPLES = `Examples:
  mcpgen uninstall petstore-mcp --client claude-code
  mcpgen uninstall --name petstore-mcp --client cursor,vscode --scope project
`;

export function addInstall(program: Command, { host, finish }: CommandContext): void {
  const command = program
    .command('install')
    .summary("add a project's server to clients")
    .description(
      'Adds the server of a project to the configuration of Claude Code, Claude Desktop, VS Code, Cursor, Codex, Gemini CLI, Windsurf or Zed. Nothing else in the file changes, and a backup is kept beside it.',
    )
    .argument('[dir]', 'folder of the project', '.')
    .argument('[options...]', "the server's own options, after --")
    .addHelpText('before', EXAMPLES);
  addCommandOptions(command, 'install');
  command.action(async (dir: string, options: string[], flags: Flags) => {
    const { installServer } = await import('../install-server.ts');
    // Without a folder, `--` is followed by the first option.
    const [folder, clientOptions] = dir.startsWith('-') ? ['.', [dir, ...options]] : [dir, options];
    finish(await installServer(folder, clientOptions, flags, host), flags);
  });
}

export function addUninstall(program: Command, { host, finish }: CommandContext): void {
  const command = program
    .command('uninstall')
    .summary("remove a project's server from clients")
    .description('Removes what `mcpgen install` added.')
    .argument('[dir]', 'folder of the project; not needed with --name', '.')
    .addHelpText('before', UNINSTALL_EXAMPLES);
  addCommandOptions(command, 'uninstall');
  command.action(async (dir: string, flags: Flags) => {
    const { uninstallServer } = await import('../install-server.ts');
    finish(await uninstallServer(dir, flags, host), flags);
  });
}
