import { createDiagnostic, DiagnosticError } from '../../diagnostics/collector.ts';

/** The emitted project's code style; built-in templates follow it by themselves. */
export const projectStyle = { singleQuote: true, printWidth: 110 };

/** Formats the output of a user's template, which messages call `template`. Files Prettier has no parser for stay as they are. */
export async function formatLikeProject(path: string, contents: string, template: string): Promise<string> {
  const prettier = await import('prettier');
  const { inferredParser } = await prettier.getFileInfo(path);
  if (inferredParser === null) return contents;
  try {
    return await prettier.format(contents, { ...projectStyle, parser: inferredParser });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new DiagnosticError(
      createDiagnostic('invalid-template', {
        file: template,
        reason: `Its output is not valid. ${error.message}`,
      }),
    );
  }
}
