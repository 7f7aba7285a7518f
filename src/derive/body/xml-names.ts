/** Names and media types of XML. */
import { essence } from '../../../templates/runtime/request.ts';

export function isXmlType(mediaType: string): boolean {
  return /(?:\/|\+)xml$/.test(essence(mediaType));
}

const XML_START =
  'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}-\\u{200D}' +
  '\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}';
const XML_NAME = new RegExp(
  `^[${XML_START}][${XML_START}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}-\\u{2040}]*$`,
  'u',
);

export function isXmlName(text: string): boolean {
  return XML_NAME.test(text);
}
