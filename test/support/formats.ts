/** Formats for Ajv, which brings none. */
const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true;

export const formats = {
  date: isDate,
  time: /^\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i,
  'date-time': (text: string): boolean =>
    isDate(text.slice(0, 10)) && /^.{10}T\d\d:\d\d:\d\d.*(?:Z|[+-]\d\d:\d\d)$/i.test(text),
  duration: /^P(?!$)/,
  email: /^[^\s@]+@[^\s@]+$/,
  hostname: /^[\w.-]+$/,
  ipv4: /^\d+(?:\.\d+){3}$/,
  ipv6: /:/,
  uri: /^[a-z][a-z\d+.-]*:\S*$/i,
  'uri-reference': /^\S*$/,
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  'json-pointer': /^(?:\/.*)?$/,
  regex: (text: string): boolean => {
    try {
      return new RegExp(text, 'u') instanceof RegExp;
    } catch {
      return false;
    }
  },
} as const;
