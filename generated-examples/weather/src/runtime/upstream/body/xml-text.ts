/** Text and names as XML 1.0 allows them. */
import { UpstreamError } from '../upstream-error.ts';

/** "Char" (XML 1.0, section 2.2) turned round: controls, lone surrogates and two noncharacters have no form in XML. */
const illegal = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** "NameStartChar" and "NameChar" (section 2.3) without the colon, which separates a prefix (Namespaces in XML). */
const start =
  'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}-\\u{200D}' +
  '\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}';
const name = new RegExp(`^[${start}][${start}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}-\\u{2040}]*$`, 'u');

export function isXmlName(text: string): boolean {
  return name.test(text);
}

/** The content of an element. A carriage return would be read as a line feed (section 2.11). */
export function elementText(text: string, argument: string): string {
  return legal(text, argument).replace(/[&<>\r]/g, escaped);
}

/** Between double quotes. White space is escaped, since a reader turns it into spaces (section 3.3.3). */
export function attributeText(text: string, argument: string): string {
  return legal(text, argument).replace(/[&<>"\t\n\r]/g, escaped);
}

/** Only its own end can't stand in a CDATA section (section 2.7). */
export function cdataText(text: string, argument: string): string {
  return `<![CDATA[${legal(text, argument).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}

/** The name of an element or attribute. An argument may bring its own, where the document leaves them open. */
export function refuseName(text: string, argument: string): string {
  if (isXmlName(text)) return text;
  throw new UpstreamError(
    'argument',
    `Argument "${argument}" can't be written as XML: ${JSON.stringify(text)} is no name of an element or attribute.`,
  );
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(character: string): string {
  return entities[character] ?? `&#${character.codePointAt(0)};`;
}

function legal(text: string, argument: string): string {
  const found = illegal.exec(text)?.[0];
  if (found === undefined) return text;
  const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  throw new UpstreamError(
    'argument',
    `Argument "${argument}" can't be written as XML: it holds the character U+${code}, which XML does not allow. Leave it out.`,
  );
}
