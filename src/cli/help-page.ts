/** `mcpgen --help` alone: the build has written down what it prints, so that nothing is loaded to find it out again. */
import { existsSync, readFileSync } from 'node:fs';

/** The file beside the built command. */
export const HELP_PAGE = 'help.txt';

/** Undefined where something else is asked, or nothing is built. */
export function helpPage(
  args: readonly string[],
  { MCPGEN_FORMAT: format = '' }: NodeJS.ProcessEnv,
  folder: URL,
): string | undefined {
  const isAsked = args.length === 1 && (args[0] === '--help' || args[0] === '-h') && format === '';
  const page = new URL(HELP_PAGE, folder);
  return isAsked && existsSync(page) ? readFileSync(page, 'utf8') : undefined;
}
