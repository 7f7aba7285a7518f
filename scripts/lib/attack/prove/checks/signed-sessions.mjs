/** Ids of sessions that are signed. */
import { replacement } from '../checks.mjs';

const families = ['signed sessions', 'tokens through fetch'];

export const checks = [
  {
    ...replacement(
      'a session id is signed',
      ['timingSafeEqual(hmacSha256(each.sign, signed), bytes.subarray(AT.mac))', 'each !== void 0'],
      families,
      /^an id (?:of another (?:secret|server)|of a secret|by the key of states|with (?:a bit|another cap|other random))/,
    ),
    each: true,
  },
  {
    ...replacement(
      'a session id is of its caller',
      [
        'if (!timingSafeEqual(hashCaller(subject, key.hash), bytes.subarray(AT.caller, AT.random))) return void 0;',
        '',
      ],
      [...families, 'sessions over nodes'],
      /^an id (?:of a made-up subject|signed by the previous secret)/,
    ),
    each: true,
  },
  {
    ...replacement(
      'a session id is of this time',
      ['age >= this.#lifetimeMs || age < -3e5 || ', ''],
      families,
      /^an id of the future/,
    ),
    each: true,
  },
  replacement(
    'a session id is of this version',
    ['key === void 0 || bytes[0] !== VERSION', 'key === void 0'],
    families,
    /^an id of another version/,
  ),
  replacement(
    'a session id is one text',
    ['if (!FORM.test(id)) return void 0;', ''],
    families,
    /^an id with padding/,
  ),
];
