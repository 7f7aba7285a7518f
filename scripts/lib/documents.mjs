// The pages of docs/ that are written, whole or in part, from the code.
import { format, resolveConfig } from 'prettier';
import { withDiagnostics } from './diagnostic-pages.mjs';
import { withFeatures } from './feature-table.mjs';
import { withLintTables } from './lint-tables.mjs';
import { withFlags, withMembers } from './option-tables.mjs';
import { withPublishRules } from './publish-table.mjs';
import { withViewTables } from './view-tables.mjs';

/** Each: the file, and its text of today, made of what it holds and of `{ root, registry, options, features, rules, clients, publishRules, places }`. */
export const documents = [
  {
    file: 'docs/reference/configuration.md',
    write: formatted('docs/reference/configuration.md', withMembers),
  },
  { file: 'docs/reference/commands.md', write: formatted('docs/reference/commands.md', withFlags) },
  { file: 'docs/reference/features.md', write: formatted('docs/reference/features.md', withFeatures) },
  { file: 'docs/lint.md', write: formatted('docs/lint.md', withLintTables) },
  { file: 'docs/publishing.md', write: formatted('docs/publishing.md', withPublishRules) },
  { file: 'docs/templates.md', write: formatted('docs/templates.md', withViewTables) },
  { file: 'docs/diagnostics.md', write: formatted('docs/diagnostics.md', withDiagnostics) },
];

function formatted(file, write) {
  return async (page, sources) =>
    format(write(page, sources), { ...(await resolveConfig(`${sources.root}${file}`)), parser: 'markdown' });
}
