/** The tables of options in docs/, from those in src/config/options/. */
const GROUPS = ['input', 'document', 'server', 'project'];

/** The members of a configuration. */
export function memberTable({ options }) {
  const rows = options
    .filter(([, { of }]) => GROUPS.includes(of))
    .map(([name, row]) => `| \`${name}\` | ${flagOf(row)} | ${words(row)} |`);
  return ['| member | option | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The members of `tools`. */
export function toolMemberTable({ toolMembers }) {
  const rows = Object.entries(toolMembers).map(
    ([name, { of, help }]) => `| \`${name}\` | ${help}${of === undefined ? '' : '; not for functions'} |`,
  );
  return ['| member | meaning |', '| --- | --- |', ...rows].join('\n');
}

/** The flags that a configuration has no member for. */
export function flagTable({ options }) {
  const all = [...new Set(options.flatMap(([, row]) => row.commands ?? []))];
  const rows = options
    .filter(([, { of, flag }]) => !GROUPS.includes(of) && flag !== undefined)
    .map(
      ([, row]) =>
        `| ${[flagOf(row), row.variable && `\`${row.variable}\``].filter(Boolean).join(', ')} | ${commands(row, all)} | ${words(row)} |`,
    );
  return ['| option | commands | meaning |', '| --- | --- | --- |', ...rows].join('\n');
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
