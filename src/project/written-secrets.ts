import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { GeneratedFile } from '../emit/generated-file.ts';

/** Usual names of secrets. */
const SECRET = /(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASS|PWD|KEY|APIKEY|CREDENTIALS?|AUTH)(?:_|$)/i;

/** Shorter values occur in files by chance. */
const SHORTEST = 6;

/** Reports secrets of the environment in generated files, which are meant to be committed. */
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
