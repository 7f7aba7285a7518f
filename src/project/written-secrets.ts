/** Secrets of the environment that a configuration has put into generated files, which are meant to be committed. */
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { GeneratedFile } from '../emit/generated-file.ts';

/** Names that secrets have. What else a configuration takes from the environment is its author's choice. */
const SECRET = /(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASS|PWD|KEY|APIKEY|CREDENTIALS?|AUTH)(?:_|$)/i;

/** A shorter value stands in a file by chance. */
const SHORTEST = 6;

export function reportSecrets(
  files: readonly GeneratedFile[],
  variables: Readonly<Record<string, string>>,
  diagnostics: DiagnosticCollector,
): void {
  for (const [name, value] of Object.entries(variables)) {
    if (!SECRET.test(name) || value.length < SHORTEST) continue;
    const spellings = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)];
    const found = files.filter(({ contents }) => spellings.some((spelling) => contents.includes(spelling)));
    const paths = found.map(({ path }) => path).filter((path) => !path.startsWith('dist/'));
    if (paths.length > 0) diagnostics.report('secret-written', { name, files: paths.join(', ') });
  }
}
