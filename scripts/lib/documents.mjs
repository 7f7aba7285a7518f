// The pages of docs/ that are written, whole or in part, from the code.
import { format, resolveConfig } from 'prettier';

import { withFeatures } from './feature-table.mjs';
import { withFlags, withMembers, withToolMembers } from './option-tables.mjs';
import { withViews } from './view-lists.mjs';

/** Each: the file, and its text of today, made of what it holds and of `{ root, registry, options, toolMembers, features, rules, clients, publishRules, places }`. */
export const documents = [
  {
    file: 'docs/reference/configuration.md',
    write: formatted('docs/reference/configuration.md', withMembers),
  },
  { file: 'docs/change-a-tool.md', write: formatted('docs/change-a-tool.md', withToolMembers) },
  { file: 'docs/reference/commands.md', write: formatted('docs/reference/commands.md', withFlags) },
  { file: 'docs/reference/features.md', write: formatted('docs/reference/features.md', withFeatures) },
  { file: 'docs/lint.md', write: formatted('docs/lint.md', withLintTables) },
  { file: 'docs/publishing.md', write: formatted('docs/publishing.md', withPublishRules) },
  { file: 'templates/fields.md', write: formatted('templates/fields.md', withViews) },
  { file: 'docs/diagnostics.md', write: formatted('docs/diagnostics.md', withDiagnostics) },
];

function formatted(file, write) {
  return async (page, sources) =>
    format(write(page, sources), { ...(await resolveConfig(`${sources.root}${file}`)), parser: 'markdown' });
}

const BEGIN = '<!-- diagnostics: written by `npm run docs` -->';

/** `page` with a row for each diagnostic behind its mark. */
export function withDiagnostics(page, { registry }) {
  const rows = Object.entries(registry)
    .sort(([, one], [, other]) => (one.code < other.code ? -1 : 1))
    .map(([name, { code, severity }]) => `| [${code}](diagnostics/${code}.md) | ${name} | ${severity} |`);
  return `${page.split(BEGIN)[0]}${BEGIN}\n\n| code | name | severity |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}

const MARKS = ['<!-- rules: written by `npm run docs` -->', '<!-- /rules -->'];

export function withPublishRules(page, { registry, publishRules, places }) {
  const rows = publishRules.map(({ name, title, places: names }) => {
    const { code } = registry[name];
    return `| ${title} | ${names.map((place) => `\`${place}\``).join(', ')} | [${code}](diagnostics/${code}.md) |`;
  });
  const sources = Object.entries(places).map(
    ([place, { source, reviewed }]) => `\`${place}\`: ${source}, ${reviewed}`,
  );
  const [begin, end] = MARKS;
  const [before, rest] = page.split(begin);
  const [, after] = rest.split(end);
  const table = ['| rule | places | code |', '| --- | --- | --- |', ...rows];
  return `${before}${begin}\n\n${table.join('\n')}\n\nRead at ${sources.join('; ')}.\n\n${end}${after}`;
}

const RULES = ['<!-- rules: written by `npm run docs` -->', '<!-- /rules -->'];
const CLIENTS = ['<!-- clients: written by `npm run docs` -->', '<!-- /clients -->'];

/** `page` with both tables between their marks. */
export function withLintTables(page, { registry, rules, clients }) {
  return between(between(page, RULES, ruleTable(registry, rules)), CLIENTS, clientTable(clients));
}

function between(page, [begin, end], table) {
  const [before, rest] = page.split(begin);
  const [, after] = rest.split(end);
  return `${before}${begin}\n\n${table.join('\n')}\n\n${end}${after}`;
}

function ruleTable(registry, rules) {
  const rows = rules.map(({ name, title, cost, isFixable }) => {
    const { code, severity } = registry[name];
    const fix = isFixable ? 'in part' : '';
    return `| [${code}](diagnostics/${code}.md) | ${title} | ${severity} | ${cost === 0 ? '' : cost} | ${fix} |`;
  });
  return [
    '| code | rule | severity | points, at most | `--fix` |',
    '| --- | --- | --- | --: | --- |',
    ...rows,
  ];
}

function clientTable(clients) {
  const rows = Object.entries(clients).map(
    ([name, profile]) => `| \`${name}\` | ${describe(profile).join('; ')} |`,
  );
  return ['| client | rules |', '| --- | --- |', ...rows];
}

function describe({ names, argumentNames, mostTools, schema = {} }) {
  const length =
    names?.added === undefined
      ? `at most ${names?.longest} characters`
      : `at most ${names.longest} characters with the server's name${names.added === 0 ? '' : ` and ${names.added} more`}`;
  return [
    ...(names === undefined ? [] : [`names \`${names.pattern.source}\`, ${length}`]),
    ...(argumentNames === undefined ? [] : [`arguments \`${argumentNames.source}\``]),
    ...(mostTools === undefined ? [] : [`${mostTools} tools`]),
    ...(schema.oneType ? ['no lists in `type`'] : []),
    ...(schema.items ? ['arrays have `items`'] : []),
    ...(schema.besideRef ? [`only \`${schema.besideRef.join('`, `')}\` beside \`$ref\``] : []),
    ...(schema.noRef ? ['reads a `$ref` as an empty object'] : []),
    ...(schema.strict ? ['its strict mode wants every member required'] : []),
  ];
}
