/**
 * The layout of `catalog.json` and `bindings.json`: one item a line, each compact.
 *
 *     {
 *     "tools": [
 *     {"name":"getPet","inputSchema":{…}},
 *     {"name":"addPet","inputSchema":{…}}
 *     ],
 *     "resources": [],
 *     "completions": true
 *     }
 *
 * So a diff is read item by item, and the runtime may answer with the text of a list without parsing it. Line breaks
 * are found between items only, since JSON strings escape theirs. `templates/runtime/contract/catalog.ts` relies on this.
 */
export function printMembers(members: string[]): string {
  // Members are megabytes: added up, they are copied once, when the file is written.
  return `{\n${members.reduce((text, member) => `${text},\n${member}`)}\n}\n`;
}

/** One member that is an array of already printed items. */
export function printList(name: string, items: string[]): string {
  return `"${name}": ${items.length === 0 ? '[]' : `[\n${items.join(',\n')}\n]`}`;
}

/** One member that is an object of values, each printed on its line. */
export function printMap(name: string, entries: [string, unknown][]): string {
  const items = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return `"${name}": ${items.length === 0 ? '{}' : `{\n${items.join(',\n')}\n}`}`;
}
