/** Whether the project's own resources and resource templates can be listed and read. */
import { isRecord } from '../contract/json-value.ts';
import { parseUriTemplate, UriTemplateError } from '../uri-template/index.ts';
import { membersOf, placeOf, textFaults } from './fault-words.ts';

/** RFC 3986, section 3.1. */
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

export function* resourceFaults(resources: unknown): Generator<string> {
  for (const [uri, resource] of membersOf(resources)) {
    const place = placeOf('resources', uri);
    if (!SCHEME.test(uri)) yield `${place}: the key must be a URI, with its scheme.`;
    yield* readableFaults(place, resource);
  }
}

export function* templateFaults(templates: unknown): Generator<string> {
  for (const [uriTemplate, template] of membersOf(templates)) {
    const place = placeOf('resourceTemplates', uriTemplate);
    if (!isUriTemplate(uriTemplate)) yield `${place}: the key must be a URI template (RFC 6570).`;
    yield* readableFaults(place, template);
  }
}

export function isUriTemplate(text: string): boolean {
  try {
    parseUriTemplate(text);
    return true;
  } catch (thrown) {
    if (thrown instanceof UriTemplateError) return false;
    throw thrown;
  }
}

function* readableFaults(place: string, item: unknown): Generator<string> {
  if (!isRecord(item) || typeof item['read'] !== 'function') {
    return yield `${place} must be an object with a \`read\` function.`;
  }
  const { name, size } = item;
  if (typeof name !== 'string') yield `${place}: \`name\` must be a string.`;
  if (size !== undefined && typeof size !== 'number') yield `${place}: \`size\` must be a number of bytes.`;
  yield* textFaults(place, item);
}
