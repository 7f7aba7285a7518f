/** The table of docs/publishing.md: the rules of each place, with the page that they were read from. */
const MARKS = ['<!-- rules: written by `npm run docs` -->', '<!-- /rules -->'];

export function withPublishRules(page, { registry, publishRules, places }) {
  const rows = publishRules.flatMap(({ name, title, places: names }) =>
    names.map((place) => {
      const { code } = registry[name];
      const { source, reviewed } = places[place];
      return {
        place,
        row: `| \`${place}\` | ${title} | [${code}](diagnostics/${code}.md) | ${source} | ${reviewed} |`,
      };
    }),
  );
  const sorted = rows.toSorted((one, other) => one.place.localeCompare(other.place)).map(({ row }) => row);
  const [begin, end] = MARKS;
  const [before, rest] = page.split(begin);
  const [, after] = rest.split(end);
  const table = ['| place | rule | code | source | read |', '| --- | --- | --- | --- | --- |', ...sorted];
  return `${before}${begin}\n\n${table.join('\n')}\n\n${end}${after}`;
}
