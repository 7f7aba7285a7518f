/** Documents that are compiled. */
import { replacement } from '../checks.mjs';

/** @param {string} file below `dist/src` @param {Parameters<typeof replacement>} given */
const inModule = (file, ...given) => ({ ...replacement(...given), files: [`dist/src/${file}.js`] });
/** @param {string} name of a module that loads documents @param {Parameters<typeof replacement>} given */
const inLoader = (name, ...given) => inModule(`frontends/openapi/load/${name}`, ...given);
const documents = ['documents'];

export const checks = [
  inLoader(
    'ref-policy',
    'hosts of references',
    ['allowsHost: hostMatcher(options.hosts)', 'allowsHost: () => true'],
    documents,
    /a reference to http:\/\/127/,
  ),
  inLoader(
    'public-address',
    'addresses that are public',
    [
      'export function isPublicAddress(address) {',
      'export function isPublicAddress(address) {\n    if (address) return true;',
    ],
    documents,
    /sent on to http:\/\/127/,
  ),
  inLoader(
    'ref-policy',
    'files below the root',
    [
      'export function isInside(root, path) {',
      'export function isInside(root, path) {\n    if (path) return true;',
    ],
    documents,
    /a reference (?:upward|to a file)/,
  ),
  inModule(
    'derive/variable-clashes',
    'a variable is read for one thing',
    ['if (other === owner)', 'if (true)'],
    documents,
    /share a variable/,
  ),
];
