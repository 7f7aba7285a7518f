/** `application/x-www-form-urlencoded` bodies, property by property (OpenAPI Encoding Object). */
import type { EncodingBinding, XmlBodyBinding } from '../../bindings.ts';
import { isJson } from '../media-type.ts';
import { encodeFormUrl, encodeReservedInQuery, encodeUnreserved } from '../percent-encoding.ts';
import { queryPairs, type Pair } from '../query-style.ts';
import { valueText } from '../value-text.ts';
import { xmlBody } from './xml-body.ts';
import { writeJson } from '../../schema/json-text.ts';

/** The body's text. Without `encoding` a scalar is text, an array repeats its name, and an object is JSON. */
export function formBody(value: object, encoding: Record<string, EncodingBinding> | undefined): string {
  return Object.entries(value)
    .flatMap(([name, member]) =>
      member === undefined ? [] : propertyPairs(name, member, encodingOf(encoding, name)),
    )
    .map(([name, text]) => `${name}=${text}`)
    .join('&');
}

/** A document's property may be called `constructor`. */
export function encodingOf(
  encoding: Record<string, EncodingBinding> | undefined,
  name: string,
): EncodingBinding | undefined {
  return encoding !== undefined && Object.hasOwn(encoding, name) ? encoding[name] : undefined;
}

/** "The absence of all three of those fields is the equivalent of using `content`" (OpenAPI 3.2, Encoding Object). */
export function isStyled(encoding: EncodingBinding | undefined): boolean {
  return (
    encoding?.style !== undefined || encoding?.explode !== undefined || encoding?.allowReserved !== undefined
  );
}

function propertyPairs(name: string, value: unknown, encoding: EncodingBinding | undefined): Pair[] {
  if (isStyled(encoding)) {
    const style = encoding?.style ?? 'form';
    return queryPairs(
      {
        name,
        style,
        explode: encoding?.explode ?? style === 'form',
        separator: encoding?.separator,
        allowEmptyValue: false,
        encodeName: encodeUnreserved,
        encodeValue: encoding?.allowReserved === true ? encodeReservedInQuery : encodeUnreserved,
      },
      value,
    );
  }
  // Encoding by name applies to each item of an array.
  const items = Array.isArray(value) ? value : [value];
  return items.map((item) => [
    encodeFormUrl(name),
    encodeFormUrl(contentText(item, encoding?.contentType, encoding?.xml, name)),
  ]);
}

/** A value in its content type: scalars are text unless JSON is asked for, objects are JSON where `xml` is not given. */
export function contentText(
  value: unknown,
  contentType: string | undefined,
  xml: XmlBodyBinding | undefined,
  argument: string,
): string {
  if (xml !== undefined && typeof value === 'object' && value !== null) return xmlBody(xml, argument, value);
  return contentType !== undefined && isJson(contentType) ? writeJson(value) : valueText(value);
}
