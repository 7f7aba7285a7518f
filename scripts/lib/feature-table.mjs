/** The table of docs/reference/features.md, from the table in src/model/feature-table.ts. */
import path from 'node:path';

/** The rows of the table, each with its settings. */
export function listFeatures({ FEATURES, DEFAULT_FEATURES, listSettings }) {
  return Promise.all(
    FEATURES.map(async (row) => ({
      ...row,
      isDefault: DEFAULT_FEATURES.includes(row.name),
      settings: await listSettings([row]),
    })),
  );
}

export function featureTable({ features }) {
  const rows = features.map((row) => {
    const flags = row.settings.flatMap(({ flag }) => (flag === undefined ? [] : `\`--${flag}\``));
    const link = path.posix.relative('reference', row.page);
    return `| \`${row.name}\` | [${row.about}](${link}) | ${flags.join(', ')} | ${reasons(row, features).join('; ')} |`;
  });
  return ['| feature | what it is | flags | comes by itself |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}

/** The features of which a set variable ends the start of a server that lacks the feature. */
export function refusedNames({ features }) {
  return quote(features.filter(({ refused }) => refused !== undefined).map(({ name }) => name));
}

const quote = (names) => names.map((name) => `\`${name}\``).join(', ');

function reasons(row, features) {
  const { name, comesWith, publish = [], uses = {}, when } = row;
  const dependents = features.filter(({ needs = [] }) => needs.includes(name)).map((other) => other.name);
  if (comesWith !== undefined) dependents.push(comesWith);
  return [
    ...(row.isDefault ? ['by default'] : []),
    ...(when === undefined ? [] : [when]),
    ...(publish.length === 0 ? [] : [`with the publish target ${quote(publish)}`]),
    ...(uses.members === undefined ? [] : [`if functions or handlers use ${quote(uses.members)}`]),
    ...(uses.keys === undefined ? [] : [`if handlers have ${quote(uses.keys)}`]),
    ...(dependents.length === 0 ? [] : [`with ${quote(dependents)}`]),
  ];
}
