// The index of all diagnostics, from the registry. Their pages in docs/diagnostics/ are written by hand.
const BEGIN = '<!-- diagnostics: written by `npm run docs` -->';

/** `page` with a row for each diagnostic behind its mark. */
export function withDiagnostics(page, { registry }) {
  const rows = Object.entries(registry)
    .sort(([, one], [, other]) => (one.code < other.code ? -1 : 1))
    .map(([name, { code, severity }]) => `| [${code}](diagnostics/${code}.md) | ${name} | ${severity} |`);
  return `${page.split(BEGIN)[0]}${BEGIN}\n\n| code | name | severity |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}
