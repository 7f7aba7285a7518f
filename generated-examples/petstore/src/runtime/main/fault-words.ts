/** What the checks of the project's own code say, and where. */
import { isRecord } from '../contract/json-value.ts';
import { suggest } from '../contract/suggest.ts';

export function* textFaults(place: string, item: Record<string, unknown>): Generator<string> {
  for (const member of ['title', 'description', 'mimeType']) {
    const text = item[member];
    if (text !== undefined && typeof text !== 'string') yield `${place}: \`${member}\` must be a string.`;
  }
}

export function membersOf(value: unknown): [name: string, member: unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}

export function placeOf(member: string, key: string): string {
  return `\`${member}[${JSON.stringify(key)}]\``;
}

export function noSuch(place: string, what: string, name: string, known: Iterable<string>): string {
  const meant = suggest(name, known);
  return `${place}: there is no such ${what}.${meant === undefined ? '' : ` Did you mean ${JSON.stringify(meant)}?`}`;
}
