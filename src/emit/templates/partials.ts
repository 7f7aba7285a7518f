/** Parts of templates: `{{> header}}` is `partials/header.hbs`. */
import { readdir, readFile } from 'node:fs/promises';
import type { LineColumn } from '../../util/text-lines.ts';
import type { ParsedTemplate } from './parse-template.ts';
import { PARTIALS_FOLDER, toPartialPath, TemplateError, addSuggestion } from './template-faults.ts';

/** Whether a file of a folder of templates is a part of others, and makes no file itself. */
export function isPartial(file: string): boolean {
  return file.startsWith(PARTIALS_FOLDER);
}

/** Reads the text of each partial by its name. `folder` is absolute. */
export async function readPartials(folder: string): Promise<Map<string, string>> {
  const files = (await readdir(folder, { recursive: true })).map((file) => file.replaceAll('\\', '/'));
  const names = files
    .filter((file) => isPartial(file) && file.endsWith('.hbs'))
    .map((file) => file.slice(PARTIALS_FOLDER.length, -'.hbs'.length));
  const readNamedPartial = async (name: string): Promise<[string, string]> => [
    name,
    await readTemplate(`${folder}/${toPartialPath(name)}`),
  ];
  return new Map(await Promise.all(names.map(readNamedPartial)));
}

export async function readTemplate(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).replaceAll('\r\n', '\n');
}

export interface Partials {
  names: readonly string[];
  parsed: (name: string) => ParsedTemplate;
}

interface Use {
  name: string;
  at: LineColumn;
  within: string | undefined;
}

export function findPartialFaults(template: ParsedTemplate, partials: Partials): TemplateError[] {
  const uses = listAllUses(template, partials);
  const names = [...new Set(uses.map(({ name }) => name))].filter((name) => partials.names.includes(name));
  const reached = names.map((name) => partials.parsed(name));
  const faults = reached.flatMap((each) => each.faults);
  const all = [template, ...reached];
  // An unreadable template may define inline partials, so none is reported as missing.
  if (all.some(({ isUnread }) => isUnread)) return faults;
  const known = [...partials.names, ...all.flatMap(({ inline }) => inline)];
  const lost = uses.filter(({ name }) => !known.includes(name));
  return [
    ...faults,
    ...lost.map((use) =>
      makePartialError(use, addSuggestion(`there is no partial ${use.name}`, use.name, known)),
    ),
  ];
}

export function endlessPartialError(template: ParsedTemplate, partials: Partials): TemplateError {
  const closing = listAllUses(template, partials).find(
    ({ name, within }) => within !== undefined && reachesPartial(name, within, partials),
  );
  return closing === undefined
    ? new TemplateError('its partials or helpers call each other without end.', undefined)
    : makePartialError(closing, 'its partials include each other without end.');
}

function makePartialError({ at, within }: Use, words: string): TemplateError {
  const error = new TemplateError(words, at);
  error.partial = within;
  return error;
}

function listAllUses(template: ParsedTemplate, { names, parsed }: Partials): Use[] {
  const seen = new Set<string>();
  const usesOf = ({ uses }: ParsedTemplate, within?: string): Use[] => {
    const here = uses.map((use) => ({ ...use, within }));
    const next = [...new Set(uses.map(({ name }) => name))].filter(
      (name) => names.includes(name) && !seen.has(name),
    );
    for (const name of next) seen.add(name);
    return [...here, ...next.flatMap((name) => usesOf(parsed(name), name))];
  };
  return usesOf(template);
}

/** Whether rendering the partial `from` comes to the partial `to`. */
function reachesPartial(from: string, to: string, partials: Partials): boolean {
  if (from === to) return true;
  if (!partials.names.includes(from)) return false;
  return listAllUses(partials.parsed(from), partials).some(({ name }) => name === to);
}
