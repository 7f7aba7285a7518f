// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Makes listed resources of the result of a function with `@list`. */
import { isRecord } from '../contract/json-value.ts';
import type { ListedResource, ListedResourceTemplate } from '../contract/catalog.ts';
import { expandTemplate } from '../uri-template/plain-template.ts';

/** Other members of an item are not listed. */
const MEMBERS = ['name', 'title', 'description', 'mimeType', 'size', 'icons', 'annotations'] as const;

/**
 * Media type, annotations and icons default to those of the template, the name to the URI. An item that its reader would refuse
 * is left out and reported: `findMisfits` returns a clause for each fault of a URI, undefined if the template doesn't match.
 *
 * @throws {Error} if `returned` is no list
 */
export function listedResources(
  returned: unknown,
  template: ListedResourceTemplate,
  findMisfits: (uri: string) => readonly string[] | undefined,
  report: (thrown: unknown) => void,
): ListedResource[] {
  if (!Array.isArray(returned)) throw new Error(`What lists ${template.uriTemplate} returned no list.`);
  return returned.flatMap((item: unknown) => {
    const uri = findUri(item, template.uriTemplate);
    const misfits = uri === undefined ? undefined : findMisfits(uri);
    if (uri !== undefined && misfits?.length === 0) return toListed(uri, item, template);
    const why = misfits === undefined ? '' : `: ${misfits.join(', ')}`;
    report(`${uri ?? JSON.stringify(item)} was listed, but ${template.uriTemplate} does not read it${why}.`);
    return [];
  });
}

function findUri(item: unknown, uriTemplate: string): string | undefined {
  if (typeof item === 'string') return item;
  if (!isRecord(item)) return undefined;
  const { uri, variables } = item;
  if (typeof uri === 'string') return uri;
  return isRecord(variables) ? expandTemplate(uriTemplate, variables) : undefined;
}

function toListed(
  uri: string,
  item: unknown,
  { mimeType, annotations, icons }: ListedResourceTemplate,
): ListedResource {
  const said = isRecord(item) ? item : {};
  const members = MEMBERS.flatMap((name) => (said[name] === undefined ? [] : [[name, said[name]]]));
  return {
    uri,
    name: uri,
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(icons === undefined ? {} : { icons }),
    ...Object.fromEntries(members),
  };
}
