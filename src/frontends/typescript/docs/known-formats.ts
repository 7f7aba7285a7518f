import { suggest } from '../../../../templates/runtime/contract/suggest.ts';

/** The formats of JSON Schema 2020-12 (Validation, section 7.3) and of the OpenAPI format registry. */
const KNOWN: ReadonlySet<string> = new Set(
  (
    'date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri iri-reference uuid ' +
    'uri-template json-pointer relative-json-pointer regex ' +
    'int8 int16 int32 int64 uint8 uint16 uint32 uint64 float double double-int decimal decimal128 byte binary base64url char ' +
    'password html commonmark media-range http-date date-time-local time-local etag sf-string'
  ).split(' '),
);

/** Undefined for known formats and for custom ones. */
export function meantFormat(format: string): string | undefined {
  return KNOWN.has(format) ? undefined : suggest(format, KNOWN);
}
