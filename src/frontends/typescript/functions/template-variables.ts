/** URI templates (RFC 6570) as tags have them. */

const EXPRESSION = /\{([^{}]*)\}/g;

/** The names in a template's expressions, each once, without operators and modifiers. */
export function templateVariables(template: string): string[] {
  const names = [...template.matchAll(EXPRESSION)].flatMap(([, inside = '']) =>
    inside
      .replace(/^[+#./;?&]/, '')
      .split(',')
      .map((name) => name.replace(/\*$|:\d+$/, '')),
  );
  return [...new Set(names)];
}

/** Why `text` is neither a URI nor a URI template, in words that follow a colon; undefined when it is one. */
export function templateFault(text: string): string | undefined {
  if (text === '') return 'its URI is missing behind @resource';
  if (/\s/.test(text)) return 'a URI holds no white space';
  if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) return 'it has no scheme';
  if (/[{}]/.test(text.replace(EXPRESSION, ''))) return 'it has a brace without its other one';
  for (const name of templateVariables(text))
    if (!/^\w+$/.test(name)) return `\`${name}\` is no name of a variable`;
  const names = [...text.matchAll(EXPRESSION)].length;
  if (names === 0 && !URL.canParse(text)) return 'it is no URI';
  return undefined;
}
