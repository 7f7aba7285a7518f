/** The tables of options in docs/, from those in src/config/options/. */
const BEGIN = '<!-- options: written by `npm run docs` -->';
const END = '<!-- /options -->';
const MEMBERS = ['<!-- members: written by `npm run docs` -->', '<!-- /members -->'];
const GROUPS = ['input', 'document', 'server', 'project'];

/** `page` with the members of a configuration between its marks. */
export function withMembers(page, { options }) {
  const rows = options
    .filter(([, { of }]) => GROUPS.includes(of))
    .map(([name, row]) => `| \`${name}\` | ${flagOf(row)} | ${words(row)} |`);
  return between(page, ['| member | option | meaning |', '| --- | --- | --- |', ...rows]);
}

/** `page` with the members of `tools`. */
export function withToolMembers(page, { toolMembers }) {
  const rows = Object.entries(toolMembers).map(
    ([name, { of, help }]) => `| \`${name}\` | ${help}${of === undefined ? '' : '; not for functions'} |`,
  );
  return between(page, ['| member | meaning |', '| --- | --- |', ...rows], MEMBERS);
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

function between(page, lines, [begin, end] = [BEGIN, END]) {
  const [before, rest] = page.split(begin);
  const [, after] = rest.split(end);
  return `${before}${begin}\n\n${lines.join('\n')}\n\n${end}${after}`;
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
