import type { CommanderError } from 'commander';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';

/** `option '--max-name-length <n>' argument 'many' is invalid. It must be …` */
const INVALID = /^(?:option|command-argument) '([^']+)' argument '([^]*?)' is invalid\. ([^]*)$/;

/** Reports an error of commander as a diagnostic. */
export function reportUsage(
  { message }: CommanderError,
  args: readonly string[],
  diagnostics: DiagnosticCollector,
): void {
  const words = message.replace(/^error: /, '');
  const [, option = '', value = '', expected = ''] = INVALID.exec(words) ?? [];
  if (option !== '') {
    diagnostics.report('invalid-option', { option: option.replace(/^-\w, | [<[].*$/g, ''), value, expected });
    return;
  }
  const [problem = '', ...rest] = words.split('\n');
  const near = rest.find((line) => line.startsWith('(Did you mean'))?.slice(1, -1);
  diagnostics.report('invalid-usage', {
    problem: problem.replace(/\.$/, ''),
    suggestion: near === undefined ? suggestFix(problem, args) : ` ${near}`,
    command: findCommand(words, args),
  });
}

const repeatables = new Set(['--include', '--exclude', '--body-media-type']);

function suggestFix(problem: string, args: readonly string[]): string {
  const [first = ''] = args;
  if (problem.startsWith('unknown command') && /[./]/.test(first))
    return ` Did you mean \`mcpgen openapi ${first}\`?`;
  if (problem.startsWith('missing required argument') && args.includes('--allow-remote-refs'))
    return ' `--allow-remote-refs` takes all words that follow it, so put the source first.';
  const repeatable = args.find((arg) => repeatables.has(arg));
  if (problem.startsWith('too many arguments') && repeatable !== undefined)
    return ` For several values, repeat the option: \`${repeatable} a ${repeatable} b\`.`;
  return '';
}

/** The command whose help the message points to. */
function findCommand(words: string, [first = '']: readonly string[]): string {
  return /^[a-z]+$/.test(first) && !words.startsWith('unknown command') ? `mcpgen ${first}` : 'mcpgen';
}
