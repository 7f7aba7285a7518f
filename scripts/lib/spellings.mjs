/**
 * How APIs, frameworks and libraries spell a text, and how to read each spelling again. Written apart from the
 * runtime, which looks for the same spellings: what it does not know of must show here.
 */

const hex = (code, digits) => code.toString(16).padStart(digits, '0');
const units = (text) => text.split('').map((unit) => unit.charCodeAt(0));
const jsonBody = (text) => JSON.stringify(text).slice(1, -1);
const percent = (text, keep) =>
  [...Buffer.from(text)]
    .map((byte) => (keep.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `%${hex(byte, 2)}`))
    .join('');
const base64 = (text, as = 'base64') => Buffer.from(text).toString(as);

/** Entities of HTML 5 that XML lacks. */
const NAMED = {
  plus: '+',
  sol: '/',
  equals: '=',
  percnt: '%',
  bsol: '\\',
  excl: '!',
  num: '#',
  dollar: '$',
  lpar: '(',
  rpar: ')',
  ast: '*',
  comma: ',',
  period: '.',
  colon: ':',
  semi: ';',
  quest: '?',
  commat: '@',
  lsqb: '[',
  rsqb: ']',
  lowbar: '_',
  lcub: '{',
  vert: '|',
  rcub: '}',
  Tab: '\t',
  NewLine: '\n',
};
const names = new Map(Object.entries(NAMED).map(([name, one]) => [one, `&${name};`]));

/** Written into a JSON string as they are. @type {Record<string, (secret: string) => string>} */
export const inJson = {
  'as it is': jsonBody,
  'as PHP escapes it': (secret) => jsonBody(secret).replaceAll('/', '\\/'),
  'as ASP.NET escapes it': (secret) =>
    jsonBody(secret).replace(
      /[+&<>'\u0080-\uffff]|\\"/g,
      (one) => `\\u${hex(one.charCodeAt(one.length - 1), 4).toUpperCase()}`,
    ),
  'as Go escapes it': (secret) =>
    jsonBody(secret).replace(/[&<>]/g, (one) => `\\u${hex(one.charCodeAt(0), 4)}`),
  'every character escaped': (secret) =>
    units(secret)
      .map((code) => `\\u${hex(code, 4)}`)
      .join(''),
  'as JSON in JSON': (secret) => jsonBody(jsonBody(secret)),
  'as JSON of PHP in JSON of Go': (secret) => jsonBody(inJson['as PHP escapes it'](secret)),
};

/** Spellings of a text. @type {Record<string, (secret: string) => string>} */
export const inText = {
  'in a URL': encodeURIComponent,
  'in a URL, in lower case': (secret) => percent(secret, /[\w.-]/),
  'in a URL, every byte': (secret) => percent(secret, /(?!)/),
  'in a URL in a URL': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'in a form': (secret) => String(new URLSearchParams({ k: secret })).slice(2),
  'in XML': (secret) =>
    secret.replace(
      /[&<>"']/g,
      (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' })[one],
    ),
  'in HTML by number': (secret) => [...secret].map((one) => `&#${one.codePointAt(0)};`).join(''),
  'in HTML by hexadecimal number': (secret) =>
    [...secret].map((one) => `&#x${hex(one.codePointAt(0), 1)};`).join(''),
  'in HTML by name': (secret) =>
    [...inText['in XML'](secret)].map((one) => (one === ';' ? one : (names.get(one) ?? one))).join(''),
  'in YAML, in single quotes': (secret) => `'${secret.replaceAll("'", "''")}'`,
  'in CDATA': (secret) => `<![CDATA[${secret}]]>`,
  'as UTF-8 that was read as Latin-1': (secret) => Buffer.from(secret).toString('latin1'),
  'in CSV': (secret) => `"${secret.replaceAll('"', '""')}"`,
  'in Base64': (secret) => base64(secret),
  'in Base64 behind a user': (secret) => base64(`user:${secret}`),
  'in Base64 behind two bytes': (secret) => base64(`a:${secret} and more`),
  'in Base64 of a URL, without padding': (secret) => base64(`{"k":1}${secret}!`, 'base64url'),
  'in Base64 by lines': (secret) =>
    base64(`${'line of a certificate '.repeat(2)}${secret}${'.'.repeat(50)}`).replace(/.{60}/g, '$&\n'),
  'as ASP.NET escapes it, in Base64': (secret) =>
    base64(`{"key":"${inJson['as ASP.NET escapes it'](secret)}"}`),
  'as Go escapes it, in Base64': (secret) => base64(`{"key":"${inJson['as Go escapes it'](secret)}"}`),
  'in a URL in lower case, in Base64': (secret) =>
    base64(`?key=${inText['in a URL, in lower case'](secret)}&`),
  'in XML, in Base64': (secret) => base64(`<key>${inText['in XML'](secret)}</key>`),
};

const decoders = [
  (text) =>
    text.replace(
      /\\(?:u([\da-f]{4})|x([\da-f]{2})|([^\w\s]))/gi,
      (_, u, x, c) => c ?? String.fromCharCode(Number.parseInt(u ?? x, 16)),
    ),
  (text) =>
    text.replace(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString()),
  (text) => text.replaceAll('+', ' '),
  (text) =>
    text
      .replace(/&#(?:x([\da-f]+)|(\d+));/gi, (_, h, d) =>
        String.fromCodePoint(Math.min(0x10ffff, h ? Number.parseInt(h, 16) : Number(d))),
      )
      .replace(
        /&(\w+);/g,
        (all, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", ...NAMED })[name] ?? all,
      ),
  (text) => text.replaceAll('""', '"').replaceAll("''", "'"),
  (text) => text.replace(/(?:\\r)?\\n|\r?\n/g, ''),
];

/** All escapes of a text decoded, once each. */
export function decodeOnce(text) {
  const [escapes, percents, , entities] = decoders;
  return entities(percents(escapes(text)));
}

/** Base64 within a text, decoded from each of the places that it may begin at. */
function fromBase64(text) {
  const runs = text.match(/[\w+/-]{8,}/g) ?? [];
  return runs
    .flatMap((run) => [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), 'base64').toString()))
    .join('\n');
}

/** All that a text may be read as. */
function readings(text, depth = 4) {
  let layer = new Set([text]);
  const all = new Set(layer);
  for (let level = 0; level < depth; level++) {
    layer = new Set(
      [...layer].flatMap((one) => decoders.map((decode) => decode(one))).filter((one) => !all.has(one)),
    );
    for (const one of layer) all.add(one);
  }
  return [...all].flatMap((one) => {
    const inside = fromBase64(one);
    return [one, inside, ...decoders.map((decode) => decode(inside))];
  });
}

/** Whether a text gives the secret away, however it is spelled. */
export function tells(text, secret) {
  const mojibake = Buffer.from(secret).toString('latin1');
  return readings(text).some((one) => one.includes(secret) || one.includes(mojibake));
}
