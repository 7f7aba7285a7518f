import { parseUriTemplate, UriTemplateError } from '../../../../templates/runtime/uri-template/index.ts';

/**
 * The names in a template's expressions, each once, without operators and modifiers.
 *
 * @throws {UriTemplateError} when it is none
 */
export function templateVariables(template: string): string[] {
  const names = parseUriTemplate(template).flatMap((part) =>
    'literal' in part ? [] : part.variables.map(({ name }) => name),
  );
  return [...new Set(names)];
}

/** Explains why `text` is neither a URI nor a URI template, in words that follow a colon. */
export function templateFault(text: string): string | undefined {
  if (text === '') return 'its URI is missing behind @resource';
  if (/\s/.test(text)) return 'a URI holds no white space';
  if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) return 'it has no scheme';
  try {
    const names = templateVariables(text);
    const odd = names.find((name) => !/^\w+$/.test(name));
    if (odd !== undefined) return `\`${odd}\` can't be the name of a parameter`;
    return names.length > 0 || URL.canParse(text) ? undefined : 'it is no URI';
  } catch (thrown) {
    if (thrown instanceof UriTemplateError) return thrown.message;
    throw thrown;
  }
}
