// Every diagnostic, from the registry: what `mcpgen explain` says of each.
const BEGIN = '<!-- diagnostics: written by `npm run docs` -->';

/** `page` with the diagnostics of today behind its mark. */
export function withDiagnostics(page, { registry }) {
  const entries = Object.entries(registry).sort(([, one], [, other]) => (one.code < other.code ? -1 : 1));
  return `${page.split(BEGIN)[0]}${BEGIN}\n\n${entries.map(entryOf).join('\n\n')}\n`;
}

function entryOf([name, { code, severity, docs }]) {
  const example = docs.example === undefined ? [] : ['', fenced(docs.example)];
  return [
    `### ${code} ${name}`,
    '',
    `${severity[0].toUpperCase()}${severity.slice(1)}. ${words(docs.cause)}`,
    '',
    `**What to do:** ${words(docs.fix)}`,
    ...(docs.source === undefined ? [] : ['', `**Source:** ${words(docs.source)}`]),
    ...example,
  ].join('\n');
}

/** Outside of code `<name>` would be a tag. */
function words(text) {
  return text.replace(/(`+)[^]*?\1|[<*]/g, (found) => (found.length > 1 ? found : `\\${found}`));
}

/** Behind a fence that nothing in it ends. */
function fenced(text) {
  return `\`\`\`text\n${text}\n\`\`\``;
}
