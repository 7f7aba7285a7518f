import { posix } from 'node:path';
import type { SupportLanguage } from 'prettier';
import { findManifestProblem } from '../data-problem.ts';

/** The emitted project's code style; built-in templates follow it by themselves. */
export const projectStyle = { singleQuote: true, printWidth: 110 };

/** The output of a template cannot be read. The message is a clause. */
export class OutputError extends Error {}

/** Formats the output of a user's template, if Prettier knows the type of file. Configurations on disk are ignored: they may be code. */
export async function formatLikeProject(path: string, contents: string): Promise<string> {
  const problem = await findManifestProblem(path, contents);
  if (problem !== undefined) throw new OutputError(`what it makes ${problem}`);
  const prettier = await import('prettier');
  const { languages } = await prettier.getSupportInfo();
  const parser = chooseParser(path, languages);
  if (parser === undefined) return contents;
  try {
    return await prettier.format(contents, { ...projectStyle, parser, plugins: [] });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Prettier's message has the position at the end of its first line, and a code frame below.
    const [, reason = error.message, line = '1', column = '1'] =
      /^(.*?)\.? \((\d+):(\d+)\)/.exec(error.message) ?? [];
    const shown = JSON.stringify(contents.split('\n')[Number(line) - 1]?.trim().slice(0, 80) ?? '');
    throw new OutputError(
      `what it makes cannot be read at line ${line}, column ${column}, of ${shown}: ${reason}`,
      {
        cause: error,
      },
    );
  }
}

function chooseParser(
  path: string,
  languages: readonly SupportLanguage[],
): SupportLanguage['parsers'][0] | undefined {
  const name = posix.basename(path).toLowerCase();
  const language =
    languages.find(({ filenames = [] }) => filenames.some((filename) => filename.toLowerCase() === name)) ??
    languages.find(({ extensions = [] }) => extensions.some((extension) => name.endsWith(extension)));
  return language?.parsers[0];
}
