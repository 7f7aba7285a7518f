/** What a function with `@list` returned, as the resources of its template. */
import { isRecord } from '../contract/json-value.ts';
import type { ListedResource, ListedResourceTemplate } from '../contract/catalog.ts';
import { expandTemplate } from '../uri-template/plain-template.ts';

/** What of an item is listed; it may be a larger object. */
const MEMBERS = ['name', 'title', 'description', 'mimeType', 'size', 'icons', 'annotations'] as const;

/**
 * What an item does not say of media type, annotations and icons, its template says; its name is its URI then. One that
 * would not be read is left out, and `report` is told. `misfitsOf` is what its reader finds wrong with a URI, a clause each;
 * undefined where the template does not match it.
 *
 * @throws {Error} when `returned` is no list
 */
export function listedResources(
  returned: unknown,
  template: ListedResourceTemplate,
  misfitsOf: (uri: string) => readonly string[] | undefined,
  report: (thrown: unknown) => void,
): ListedResource[] {
  if (!Array.isArray(returned)) throw new Error(`What lists ${template.uriTemplate} returned no list.`);
  return returned.flatMap((item: unknown) => {
    const uri = uriOf(item, template.uriTemplate);
    const misfits = uri === undefined ? undefined : misfitsOf(uri);
    if (uri !== undefined && misfits?.length === 0) return listed(uri, item, template);
    const why = misfits === undefined ? '' : `: ${misfits.join(', ')}`;
    report(`${uri ?? JSON.stringify(item)} was listed, but ${template.uriTemplate} does not read it${why}.`);
    return [];
  });
}

function uriOf(item: unknown, uriTemplate: string): string | undefined {
  if (typeof item === 'string') return item;
  if (!isRecord(item)) return undefined;
  const { uri, variables } = item;
  if (typeof uri === 'string') return uri;
  return isRecord(variables) ? expandTemplate(uriTemplate, variables) : undefined;
}

function listed(
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
