/** The tables of docs/lint.md: the rules, and the profiles of clients. */
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
  const rows = Object.entries(clients).map(([name, profile]) => {
    const rulesOf = describe(profile).join('; ');
    return `| \`${name}\` | ${rulesOf} | ${profile.reviewed} | ${profile.sources.join(', ')} |`;
  });
  return ['| client | rules | reviewed | sources |', '| --- | --- | --- | --- |', ...rows];
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
    ...(schema.draft07 ? ['schemas pass the meta-schema of draft-07'] : []),
    ...(schema.strict ? ['its strict mode wants every member required'] : []),
  ];
}
