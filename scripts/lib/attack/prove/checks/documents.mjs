/** Documents that are compiled. */
import { replacement } from '../checks.mjs';

/** @param {string} file below `dist/src` @param {Parameters<typeof replacement>} given */
const inModule = (file, ...given) => ({ ...replacement(...given), files: [`dist/src/${file}.js`] });
/** @param {string} name of a module that loads documents @param {Parameters<typeof replacement>} given */
const documents = ['documents'];

const ADDRESSES = 'dist/templates/runtime/contract/address-reach.js';
const ANY_ADDRESS = [
  'export function isPublicAddress(address) {',
  'export function isPublicAddress(address) {\n    if (address) return true;',
];

export const checks = [
  {
    check: 'hosts of references, at any address',
    edits: [['allowsHost: createHostMatcher(options.hosts)', 'allowsHost: () => true'], ANY_ADDRESS],
    files: ['dist/src/util/ref-policy.js', ADDRESSES],
    families: documents,
    rows: /a reference to http:\/\/127/,
    // It was asked, and nobody answers there.
    admits: /wanted MCPG115, got (?!$)/,
  },
  {
    ...replacement('addresses that are public', ANY_ADDRESS, documents, /sent on to http:\/\/127/),
    files: [ADDRESSES],
    admits: /wanted not public, got/,
  },
  {
    ...inModule(
      'util/ref-policy',
      'files below the root',
      [
        'export function isInside(root, path) {',
        'export function isInside(root, path) {\n    if (path) return true;',
      ],
      documents,
      /a reference (?:upward|to a file)/,
    ),
    // The file was read, and its content is no schema.
    admits: /got MCPG301$/,
  },
  {
    ...inModule(
      'derive/names/variable-clashes',
      'a variable is read for one thing',
      ['if (other === owner)', 'if (true)'],
      documents,
      /share a variable/,
    ),
    // The document compiles.
    admits: /got $/,
  },
];
