/** A text for each format that is well known: those of JSON Schema and of OpenAPI's format registry. */

export interface FormatDemands {
  minLength: number;
  maxLength: number;
  nth: number;
}

/** `short` where a text of at most 12 code units is wanted. */
type Maker = (nth: number, padding: string, short: boolean) => string;

const url: Maker = (nth, padding, short) =>
  short ? `urn:a:${nth}` : `https://example.com/${padding}${nth === 0 && padding === '' ? '' : nth}`;
const email: Maker = (nth, padding, short) =>
  short ? `a${nth}@b.co` : `sample${padding}${nth === 0 ? '' : nth + 1}@example.com`;
const host: Maker = (nth, padding, short) =>
  short ? `a${nth}.co` : `${nth === 0 && padding === '' ? '' : `${padding.slice(0, 50)}${nth}.`}example.com`;
const date = (nth: number): string => new Date(Date.UTC(2025, 0, 15 + nth)).toISOString().slice(0, 10);

const makers: Readonly<Record<string, Maker>> = {
  date,
  'date-time': (nth) => `${date(nth)}T09:30:00Z`,
  'date-time-local': (nth) => `${date(nth)}T09:30:00`,
  'http-date': (nth) => new Date(Date.UTC(2025, 0, 15 + nth, 9, 30)).toUTCString(),
  time: (nth) => `09:${twoDigits(30 + (nth % 30))}:00Z`,
  'time-local': (nth) => `09:${twoDigits(30 + (nth % 30))}:00`,
  duration: (nth) => `P${nth + 1}D`,
  email,
  'idn-email': email,
  hostname: host,
  'idn-hostname': host,
  ipv4: (nth) => `192.0.2.${(nth % 250) + 1}`,
  ipv6: (nth) => `2001:db8::${((nth % 0xffff) + 1).toString(16)}`,
  uri: url,
  url,
  iri: url,
  'uri-reference': (nth, padding) => `/sample${padding}${nth === 0 ? '' : nth + 1}`,
  'iri-reference': (nth, padding) => `/sample${padding}${nth === 0 ? '' : nth + 1}`,
  'uri-template': (nth) => `/samples/{id}${nth === 0 ? '' : nth + 1}`,
  uuid: (nth) => `123e4567-e89b-42d3-a456-${(0x4266_1417_4000 + nth).toString(16).padStart(12, '0')}`,
  'json-pointer': (nth) => `/sample${nth === 0 ? '' : nth + 1}`,
  'relative-json-pointer': (nth) => String(nth),
  regex: (nth) => `^sample${nth === 0 ? '' : nth + 1}$`,
  byte: (nth) => btoa(`sample${nth === 0 ? '' : nth + 1}`),
  base64url: (nth) => btoa(`sample${nth === 0 ? '' : nth + 1}`).replaceAll('=', ''),
  int8: (nth) => String((nth % 120) + 1),
  int16: (nth) => String(nth + 1),
  int32: (nth) => String(nth + 1),
  int64: (nth) => String(nth + 1),
  uint8: (nth) => String((nth % 250) + 1),
  uint16: (nth) => String(nth + 1),
  uint32: (nth) => String(nth + 1),
  uint64: (nth) => String(nth + 1),
  decimal: (nth) => `${nth + 1}.5`,
  decimal128: (nth) => `${nth + 1}.5`,
  float: (nth) => `${nth + 1}.5`,
  double: (nth) => `${nth + 1}.5`,
  char: (nth) => String.fromCharCode(97 + (nth % 26)),
};

/** The `nth` text of a format, made longer or shorter where the format has room; undefined for an unknown format. */
export function formatSample(
  format: string,
  { minLength, maxLength, nth }: FormatDemands,
): string | undefined {
  if (!Object.hasOwn(makers, format)) return undefined;
  const maker = makers[format];
  const text = maker?.(nth, '', false);
  if (text === undefined || text.length > maxLength) return maker?.(nth, '', true);
  return text.length < minLength ? maker?.(nth, 'x'.repeat(minLength - text.length), false) : text;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
