/** Where credentials go, against what the lock remembers. */
import { replacement } from '../checks.mjs';

const families = ['credential origins'];

/** @param {string} file below `dist/src` @param {string} check @param {[string, string]} edit @param {RegExp} rows */
const inModule = (file, check, edit, rows) => ({
  ...replacement(check, edit, families, rows),
  files: [`dist/src/${file}.js`],
});

const known = 'acceptOrigins.includes(origin)';

export const checks = [
  inModule(
    'project/check-origins',
    'origins that the lock does not name',
    ['comparison.refused.length > 0', 'false'],
    /another host|another port|a host behind userinfo|force/,
  ),
  inModule(
    'project/check-origins',
    'origins are known for one credential',
    ['Object.hasOwn(before, credential) && before[credential]?.includes(origin)', 'all.has(origin)'],
    /a known host of another|schemes that change names/,
  ),
  inModule(
    'project/check-origins',
    'consent to one origin',
    [known, 'acceptOrigins.length > 0'],
    /consent to another/,
  ),
  inModule(
    'project/check-origins',
    'the headers of an API whose document demands nothing',
    ['isHeadersVariable(credential) && !Object.hasOwn(before, credential)', 'isHeadersVariable(credential)'],
    /without credentials, that the environment/,
  ),
  inModule(
    'emit/lock-entries',
    'the hash of origins in a lock',
    ['hash !== hashOrigins(sentTo).hash', 'false'],
    /a lock with another origin/,
  ),
  inModule(
    'emit/lock-entries',
    'origins of a lock that has none',
    [
      'return { origins: (isGenerated && readBindings',
      'if (lock?.origins === undefined) return undefined;\n    return { origins: (isGenerated && readBindings',
    ],
    /a lock without origins|no lock, with force/,
  ),
  inModule(
    'emit/lock-entries',
    'bindings that are as the lock has them',
    ['lock === undefined || isHashOf', 'true || isHashOf'],
    /bindings that fit/,
  ),
  inModule(
    'model/credential-origins',
    'servers of operations and paths',
    ['choice(servers ?? api.servers)', 'choice(api.servers)'],
    /another server of an operation/,
  ),
  inModule(
    'model/credential-origins',
    'servers that are not the first',
    ['choice = (servers) => servers', 'choice = (servers) => servers.slice(0, 1)'],
    /another second server|a third server/,
  ),
  inModule(
    'model/credential-origins',
    'token endpoints',
    ['[scheme.env.clientSecret, issuers]', '[scheme.env.clientSecret, []]'],
    /another token endpoint|another metadata/,
  ),
  inModule(
    'model/credential-origins',
    'relative servers that name a host',
    ['[...bases.filter((base) => URL.canParse(base)), NOWHERE]', '[]'],
    /without scheme|with backslashes/,
  ),
  inModule(
    'model/credential-origins',
    'each value of a variable',
    ['[whole, ...filled]', '[whole]'],
    /another value of an enum/,
  ),
  inModule(
    'model/credential-origins',
    'templates of servers',
    ['return isTemplate && ', 'return false && '],
    /another template/,
  ),
];
