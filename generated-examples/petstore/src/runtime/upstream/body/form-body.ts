/** `application/x-www-form-urlencoded` bodies, property by property (OpenAPI Encoding Object). */
import type { EncodingBinding } from '../../contract/bindings.ts';
import { essence, isJson } from '../../contract/media-type.ts';
import { encodeFormUrl, encodeReservedInQuery, encodeUnreserved } from '../../percent-encoding.ts';
import { type Pair, queryPairs, valueText } from '../parameter-styles.ts';
import { xmlBody } from './xml-body.ts';
import { writeJson } from '../../contract/json-text.ts';

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
export function isStyled({ style, explode, allowReserved, itemSeparators }: EncodingBinding = {}): boolean {
  return [style, explode, allowReserved, itemSeparators].some((field) => field !== undefined);
}

function propertyPairs(name: string, value: unknown, encoding: EncodingBinding | undefined): Pair[] {
  if (isEmptyValue(value, encoding)) return [[encodeFormUrl(name), '']];
  if (isStyled(encoding)) {
    const style = encoding?.style ?? 'form';
    return queryPairs(
      {
        name,
        style,
        explode: encoding?.explode ?? style === 'form',
        separator: encoding?.separator,
        itemSeparators: encoding?.itemSeparators,
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
    encodeFormUrl(contentText(item, encoding?.contentType, encoding, name)),
  ]);
}

/** A list without items that has a spelling all the same. */
export function isEmptyValue(value: unknown, encoding: EncodingBinding | undefined): boolean {
  return encoding?.allowEmptyValue === true && Array.isArray(value) && value.length === 0;
}

/** A value in its content type: scalars are text unless JSON is asked for, objects are JSON where nothing else is. */
export function contentText(
  value: unknown,
  contentType: string | undefined,
  { xml, encoding }: EncodingBinding = {},
  argument: string,
): string {
  if (contentType === undefined) return valueText(value);
  if (typeof value === 'object' && value !== null) {
    if (xml !== undefined) return xmlBody(xml, argument, value);
    if (essence(contentType) === 'application/x-www-form-urlencoded') return formBody(value, encoding);
  }
  return isJson(contentType) ? writeJson(value) : valueText(value);
}
