import type { CommanderError } from 'commander';

/** Commander's words as the parameters of `invalid-usage`. */
export function usageProblem(
  { message }: CommanderError,
  args: readonly string[],
): { problem: string; suggestion: string; command: string } {
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const suggestion = rest.find((line) => line.startsWith('(Did you mean'))?.slice(1, -1) ?? '';
  const command =
    args[0] !== undefined && /^[a-z]+$/.test(args[0]) && !message.includes('unknown command')
      ? ` ${args[0]}`
      : '';
  return {
    problem: first.replace(/\.$/, ''),
    suggestion: suggestion === '' ? '' : ` ${suggestion}`,
    command: `mcpgen${command}`,
  };
}
