/**
 * The layout of `catalog.json` and `bindings.json`: one line for each member down to depth 3, without any other whitespace.
 *
 *     {
 *     "tools":[
 *     {
 *     "name":"getPet",
 *     "inputSchema":{…}
 *     },
 *     …
 *     ],
 *     "resources":[],
 *     "completions":true
 *     }
 *
 * A diff shows which member has changed, and the runtime answers with the text of a list without parsing it: JSON strings
 * escape their line breaks, so without line breaks a list is one line. `templates/runtime/contract/json-schema.ts` relies on this.
 */
export function printMembers(members: string[]): string {
  // Members are megabytes: added up, they are copied once, when the file is written.
  return `{\n${members.reduce((text, member) => `${text},\n${member}`)}\n}\n`;
}

/** One member that is an array of already printed items. */
export function printList(name: string, items: string[]): string {
  return `"${name}":${items.length === 0 ? '[]' : `[\n${items.join(',\n')}\n]`}`;
}

/** One member that is an object of values. */
export function printMap(name: string, entries: [string, unknown][]): string {
  const items = entries.map(([key, value]) => `${JSON.stringify(key)}:${printItem(value)}`);
  return `"${name}":${items.length === 0 ? '{}' : `{\n${items.join(',\n')}\n}`}`;
}

/** An object's members, each on its line. */
export function printItem(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([key, member]) =>
    member === undefined ? [] : [`${JSON.stringify(key)}:${JSON.stringify(member)}`],
  );
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n}`;
}
