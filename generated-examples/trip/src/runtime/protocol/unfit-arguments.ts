import { ToolError } from './tool-error.ts';

/** Of arguments that no work begins with, in words a model can act on. `misfits` are clauses. */
export function unfitWords(tool: string, misfits: readonly string[]): string {
  const lines = misfits.map((each) => `- ${each}`);
  return [`The arguments of ${tool} do not match its input schema:`, ...lines].join('\n');
}

/** Of arguments that their schema takes, and the types of the function do not: a date that does not exist. */
export class UnfitArguments extends ToolError {
  override readonly name = 'UnfitArguments';

  constructor(tool: string, misfits: readonly string[]) {
    super(unfitWords(tool, misfits));
  }
}
