/** The tables of options in docs/reference/, from the table in src/config/options/table.ts. */
const BEGIN = '<!-- options: written by `npm run docs` -->';
const END = '<!-- /options -->';
const GROUPS = ['input', 'document', 'server', 'project'];

/** `page` with the members of a configuration between its marks. */
export function withMembers(page, { options }) {
  const rows = options
    .filter(([, { of }]) => GROUPS.includes(of))
    .map(([name, row]) => `| \`${name}\` | ${flagOf(row)} | ${words(row)} |`);
  return between(page, ['| member | option | meaning |', '| --- | --- | --- |', ...rows]);
}

/** `page` with the flags that a configuration has no member for. */
export function withFlags(page, { options }) {
  const all = [...new Set(options.flatMap(([, row]) => row.commands ?? []))];
  const rows = options
    .filter(([, { of, flag }]) => !GROUPS.includes(of) && flag !== undefined)
    .map(
      ([, row]) =>
        `| ${[flagOf(row), row.variable && `\`${row.variable}\``].filter(Boolean).join(', ')} | ${commands(row, all)} | ${words(row)} |`,
    );
  return between(page, ['| option | commands | meaning |', '| --- | --- | --- |', ...rows]);
}

function between(page, lines) {
  const [before, rest] = page.split(BEGIN);
  const [, after] = rest.split(END);
  return `${before}${BEGIN}\n\n${lines.join('\n')}\n\n${END}${after}`;
}

function flagOf({ flag }) {
  return flag === undefined ? '' : `\`${flag.replace(/ *[<[].*/, '').replace(/,.*/, '')}\``;
}

function words({ help, docs, default: value }) {
  if (docs !== undefined) return docs;
  return value === undefined ? help : `${help}; default: ${value.replace(/[<>]/g, '\\$&')}`;
}

/** More than half of them are most commands: `mcpgen help` lists the options of each. */
function commands(row, all) {
  const others = all.filter((name) => !row.commands.includes(name));
  if (others.length === 0) return 'all';
  return others.length < row.commands.length ? 'most' : list(row.commands);
}

function list(names) {
  return names.map((name) => `\`${name}\``).join(', ');
}
