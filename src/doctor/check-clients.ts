/** Checks the entries of clients that start the server. */
import { quoteShellWord } from '../diagnostics/quoting.ts';
import { type Check, makeFailedCheck, makePassedCheck, makeSkippedCheck } from './check.ts';

export interface ClientEntry {
  /** For `--client`. */
  client: string;
  title: string;
  scope: string;
  file: string;
  name: string;
  missing: readonly string[];
  /** Whether the entry starts the server with `--mock`. */
  isMock: boolean;
}

export interface ClientConfigs {
  entries: readonly ClientEntry[];
  unreadable: readonly { title: string; problem: string; hint: string }[];
}

export function checkClients({ entries, unreadable }: ClientConfigs, dir: string): Check[] {
  const broken = unreadable.map(({ title, problem, hint }) =>
    makeFailedCheck(`client ${title}`, problem, hint),
  );
  if (entries.length === 0 && broken.length === 0)
    return [
      makeSkippedCheck(
        'clients',
        'no client starts this server',
        `\`mcpgen install ${dir} --client claude-code\``,
      ),
    ];
  return [...broken, ...entries.map((entry) => checkClientEntry(entry, dir))];
}

function checkClientEntry({ client, title, scope, file, name, missing }: ClientEntry, dir: string): Check {
  const label = `client ${title}`;
  // A configuration of a repository may have any name.
  const word = quoteShellWord(name);
  const again = `mcpgen install ${dir} --client ${client} --scope ${scope}`;
  if (missing.length > 0) {
    const says = `"${name}" in ${file} starts ${missing.join(' and ')}, which does not exist`;
    return makeFailedCheck(label, says, `\`${again} --name ${word} --force\``);
  }
  return makePassedCheck(label, `"${name}" in ${file}`);
}
