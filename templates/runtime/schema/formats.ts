// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The formats worth asserting (JSON Schema Validation, section 7.3). Every expression is linear. */
import { isIPv4, isIPv6 } from 'node:net';
import type { FormatTest } from './run.ts';

const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** RFC 3339, `full-date`. */
function isDate(text: string): boolean {
  const match = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const days = month === 2 && isLeapYear(year) ? 29 : (daysInMonth[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

/** RFC 3339, `full-time`. A leap second is one only at 23:59:60 UTC. */
function isTime(text: string): boolean {
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?(?:z|([+-])([0-9]{2}):([0-9]{2}))$/i.exec(
    text,
  );
  if (match === null) return false;
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const [offsetHour, offsetMinute] = [Number(match[5] ?? 0), Number(match[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (offsetHour * 60 + offsetMinute) * (match[4] === '-' ? -1 : 1);
  return (hour * 60 + minute - offset + 2 * 1440) % 1440 === 1439;
}

function isDateTime(text: string): boolean {
  return /^.{10}t/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

/** RFC 3339, appendix A. */
function isDuration(text: string): boolean {
  if (/^P[0-9]+W$/.test(text)) return true;
  const time = '(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)';
  const date = '(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)';
  return new RegExp(`^P(?:${date}(?:T${time})?|T${time})$`).test(text);
}

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** RFC 1123; a single trailing dot is not part of it. Punycode labels are not decoded. */
function isHostname(text: string): boolean {
  return (
    text.length <= 253 && text.split('.').every((part) => label.test(part) && !/^(?!xn--)..--/i.test(part))
  );
}

/** RFC 5321, `Mailbox`, with an ASCII local part. */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1 || at > 64) return false;
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  const atoms = local.split('.').every((atom) => /^[\w!#$%&'*+/=?^`{|}~-]+$/.test(atom));
  const quoted = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/.test(local);
  return (atoms || quoted) && (isHostname(domain) || isAddressLiteral(domain));
}

function isAddressLiteral(domain: string): boolean {
  if (!domain.startsWith('[') || !domain.endsWith(']')) return false;
  const address = domain.slice(1, -1);
  return address.startsWith('IPv6:') ? isIpv6(address.slice(5)) : isIPv4(address);
}

/** A zone (RFC 4291) means nothing on another machine. */
function isIpv6(text: string): boolean {
  return !text.includes('%') && isIPv6(text);
}

const uriCharacters = /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9a-f]{2})*$/i;

/** RFC 3986, `URI-reference`. */
function isUriReference(text: string): boolean {
  if (!uriCharacters.test(text)) return false;
  const [, scheme, authority, path = '', query = '', fragment = ''] =
    /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/.exec(text) ?? [];
  if (scheme !== undefined && !/^[a-z][a-z0-9+.-]*$/i.test(scheme)) return false;
  if (/[[\]]/.test(path + query + fragment) || fragment.includes('#', 1)) return false;
  return authority === undefined || isAuthority(authority);
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@');
  if (/[[\]@]/.test(authority.slice(0, Math.max(at, 0)))) return false;
  const [, host = '', literal] = /^(\[([^\]]*)\]|[^:[\]]*)(?::[0-9]*)?$/.exec(authority.slice(at + 1)) ?? [
    '',
    '[',
  ];
  if (literal !== undefined) return isIpv6(literal) || /^v[0-9a-f]+\.[\w\-.~!$&'()*+,;=:]+$/i.test(literal);
  return !host.includes('[');
}

function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) && isUriReference(text);
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

function isJsonPointer(text: string): boolean {
  return /^(?:\/(?:[^~/]|~[01])*)*$/.test(text);
}

function isRegex(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

export const commonFormats: Readonly<Record<string, FormatTest>> = {
  date: isDate,
  time: isTime,
  'date-time': isDateTime,
  duration: isDuration,
  email: isEmail,
  hostname: isHostname,
  ipv4: isIPv4,
  ipv6: isIpv6,
  uri: isUri,
  'uri-reference': isUriReference,
  uuid: isUuid,
  'json-pointer': isJsonPointer,
  regex: isRegex,
};
