import { posix } from 'node:path';
import { findManifestProblem } from '../generated-file.ts';

/** The emitted project's code style; built-in templates follow it by themselves. */
export const projectStyle = { singleQuote: true, printWidth: 110 };

/**
 * Formats the output of a user's template, if Prettier knows the type of file. Configurations on disk are ignored: they may be code.
 * Says in a clause why the output cannot be read.
 */
export async function formatLikeProject(
  path: string,
  contents: string,
): Promise<{ formatted: string } | { problem: string }> {
  const fault = findManifestProblem(path, contents);
  if (fault !== undefined) return { problem: `what it makes ${fault}` };
  const prettier = await import('prettier');
  const { languages } = await prettier.getSupportInfo();
  const name = posix.basename(path).toLowerCase();
  const language =
    languages.find(({ filenames = [] }) => filenames.some((filename) => filename.toLowerCase() === name)) ??
    languages.find(({ extensions = [] }) => extensions.some((extension) => name.endsWith(extension)));
  const parser = language?.parsers[0];
  if (parser === undefined) return { formatted: contents };
  try {
    return { formatted: await prettier.format(contents, { ...projectStyle, parser, plugins: [] }) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Prettier's message has the position at the end of its first line, and a code frame below.
    const [, reason = error.message, line = '1', column = '1'] =
      /^(.*?)\.? \((\d+):(\d+)\)/.exec(error.message) ?? [];
    const shown = JSON.stringify(contents.split('\n')[Number(line) - 1]?.trim().slice(0, 80) ?? '');
    return {
      problem: `what it makes cannot be read at line ${line}, column ${column}, of ${shown}: ${reason}`,
    };
  }
}
