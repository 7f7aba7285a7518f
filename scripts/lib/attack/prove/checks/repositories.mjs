/** Repositories of strangers. */
const inWrite = (name) => `dist/src/write/${name}.js`;
const families = ['repositories'];

/** @type {[from: string, to: string]} */
const UNPROTECTED = ['const ALL = Object.keys(gitProtections);', 'const ALL = [];'];
/** @type {[from: string, to: string][]} */
const ANY_FOLDER = [
  ['![place, folder].some((path) => /[\\\\/]node_modules[\\\\/]\\.bin(?:[\\\\/]|$)/i.test(path))', 'true'],
  ['!repositories.some((root) => folder === root || isBelow(root, folder))', 'true'],
];
const NO_NAMES = [
  'export function isReserved(path) {',
  'export function isReserved(path) {\n    if (path) return false;',
];

export const checks = [
  {
    check: 'what git may run',
    edits: [UNPROTECTED],
    files: [inWrite('git')],
    families,
    rows: /^a program (?:in .git|as|behind|in place)|^a proxy|^a worktree/,
    each: true,
  },
  {
    check: 'protocols that a repository allows itself',
    edits: [
      ["env: { GIT_ALLOW_PROTOCOL: 'none' }", 'env: {}'],
      ["env: { GIT_NO_LAZY_FETCH: '1' }", 'env: {}'],
    ],
    files: [inWrite('git')],
    families,
    rows: /all protocols allowed/,
  },
  {
    check: 'git is given its repository',
    edits: [
      UNPROTECTED,
      ['const place = findRepository(root);', 'const place = { dir: realpathSync(root), tree: root };'],
      ['!(await isTrusted(program, place))', 'false'],
    ],
    files: [inWrite('git')],
    families,
    rows: /^a bare repository/,
  },
  {
    check: 'a file .git names a repository that names its folder',
    edits: [UNPROTECTED, ['realpathSync(back) === realpathSync(tree) ? dir : undefined', 'dir']],
    files: [inWrite('git')],
    families,
    rows: /^a file .git that names/,
  },
  {
    check: 'git is no program of the project',
    edits: [...ANY_FOLDER, ['isAbsolute(place) ? findRealPath(place) : undefined', 'findRealPath(place)']],
    files: [inWrite('find-program')],
    families,
    rows: /called (?:git|claude|xdg-open).*: (?:diff|install|the page)/,
    each: true,
  },
  {
    check: 'programs that are started find no program of the project',
    edits: [['[variable]: places.join(delimiter)', '']],
    files: [inWrite('find-program')],
    families,
    rows: /called node.*install/,
    each: true,
  },
  {
    check: 'no link is followed to a temporary file',
    edits: [['if (entry.isDirectory())', 'if (entry.isDirectory() || entry.isSymbolicLink())']],
    files: [inWrite('temporary-files')],
    families,
    rows: /^a temporary name behind a link .*: (?:generate server|openapi .*)$/,
    each: true,
  },
  {
    check: 'temporary files of git are none',
    edits: [['below && !isReserved(entry.name)', 'below']],
    files: [inWrite('temporary-files')],
    families,
    rows: /^a temporary name in .git: (?:generate server|openapi .*)$/,
    each: true,
  },
  {
    check: 'a lock lists what mcpgen generates',
    edits: [['reportStrayPaths(lock, join(root, lockPath), diagnostics);', '']],
    files: [inWrite('write-project')],
    families,
    rows: /^a lock with NOTES/,
    each: true,
  },
  {
    check: 'nothing of git or npm is removed',
    edits: [NO_NAMES, ['reportStrayPaths(lock, join(root, lockPath), diagnostics);', '']],
    files: ['dist/src/emit/emitted-paths.js', inWrite('write-project')],
    families,
    rows: /^a lock with (?:\.git|a dependency|the repository|another)/,
    each: true,
  },
  {
    check: 'no file is removed by a link',
    edits: [NO_NAMES, ['fs, { links: false }', 'fs']],
    files: ['dist/src/emit/emitted-paths.js', inWrite('plan-removals')],
    families,
    rows: /by a link into .git/,
  },
  {
    check: 'names that fit other operations',
    edits: [['reportSwapped(changed, served, { suggested, locked }, diagnostics);', 'void 0;']],
    files: ['dist/src/derive/names/tool-names.js'],
    families,
    rows: /names of tools that were exchanged/,
    // Nothing is said of it.
    admits: /got 0$/,
  },
];
