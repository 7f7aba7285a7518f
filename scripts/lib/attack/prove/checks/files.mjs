/** Files that calls name. */
import { replacement } from '../checks.mjs';

const files = ['files'];
const OPEN_FILE = ['if (real !== void 0 && isInside(real, root)) return file;', 'return file;'];

export const checks = [
  replacement('the place of an open file', OPEN_FILE, files, /exchanged for a link/),
  {
    check: 'the folder of files',
    edits: [
      OPEN_FILE,
      ['if (!isInside(candidate, root)) throw outsideFolderError(given);', ''],
      ['if (!isInside(place, root)) throw outsideFolderError(given);', ''],
    ],
    families: files,
    rows: /^a file (?:above|behind|of)/,
    each: true,
  },
];
