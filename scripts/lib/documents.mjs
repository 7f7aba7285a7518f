// The pages of docs/ that are written, whole or in part, from the code.
import { format, resolveConfig } from 'prettier';

import { featureTable, refusedNames } from './feature-table.mjs';
import { flagTable, memberTable, toolMemberTable } from './option-tables.mjs';
import { viewLists } from './view-lists.mjs';

/**
 * By file, and by the name of its marks: what is written between them, made of
 * `{ root, registry, options, toolMembers, features, rules, clients, publishRules }`.
 */
const PARTS = {
  'docs/reference/configuration.md': { options: memberTable },
  'docs/change-a-tool.md': { members: toolMemberTable },
  'docs/reference/commands.md': { options: flagTable },
  'docs/reference/features.md': { features: featureTable, refused: refusedNames },
  'docs/lint.md': { rules: ruleTable, clients: clientTable },
  'docs/publishing.md': { rules: publishRuleTable },
  'templates/fields.md': { views: viewLists },
  'docs/diagnostics.md': { diagnostics: diagnosticTable },
};

export const documents = Object.entries(PARTS).map(([file, parts]) => ({
  file,
  write: async (page, sources) => {
    const written = Object.entries(parts).reduce(
      (text, [name, make]) => between(text, name, make(sources)),
      page,
    );
    return format(written, { ...(await resolveConfig(`${sources.root}${file}`)), parser: 'markdown' });
  },
}));

/** Marks in the middle of a line have the text between them alone. */
function between(page, name, text) {
  const marks = new RegExp(`(<!-- ${name}(: .*?)? -->).*?(<!-- /${name} -->)`, 's');
  const put = (_, begin, about, end) =>
    about === undefined ? begin + text + end : `${begin}\n\n${text}\n\n${end}`;
  return page.replace(marks, put);
}

function diagnosticTable({ registry }) {
  const rows = Object.entries(registry)
    .sort(([, one], [, other]) => (one.code < other.code ? -1 : 1))
    .map(([name, { code, severity }]) => `| [${code}](diagnostics/${code}.md) | ${name} | ${severity} |`);
  return ['| code | name | severity |', '| --- | --- | --- |', ...rows].join('\n');
}

function publishRuleTable({ registry, publishRules }) {
  const rows = publishRules.map(({ name, title, places: names }) => {
    const { code } = registry[name];
    return `| ${title} | ${names.map((place) => `\`${place}\``).join(', ')} | [${code}](diagnostics/${code}.md) |`;
  });
  return ['| rule | places | code |', '| --- | --- | --- |', ...rows].join('\n');
}

function ruleTable({ registry, rules }) {
  const rows = rules.map(({ name, title, cost, isFixable }) => {
    const { code, severity } = registry[name];
    const fix = isFixable ? 'in part' : '';
    return `| [${code}](diagnostics/${code}.md) | ${title} | ${severity} | ${cost === 0 ? '' : cost} | ${fix} |`;
  });
  return [
    '| code | rule | severity | points, at most | `--fix` |',
    '| --- | --- | --- | --: | --- |',
    ...rows,
  ].join('\n');
}

function clientTable({ clients }) {
  const rows = Object.entries(clients).map(
    ([name, profile]) => `| \`${name}\` | ${describe(profile).join('; ')} |`,
  );
  return ['| client | rules |', '| --- | --- |', ...rows].join('\n');
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
