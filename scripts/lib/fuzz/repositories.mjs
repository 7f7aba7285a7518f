import fc from 'fast-check';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jsonWith, textOf } from './texts.mjs';

const parts = [
  ...['src', 'app', 'generated', 'runtime', 'README.md', 'a.ts', 'dist', 'test', 'wire.json', '/', '/', '/'],
  ...[
    '.git',
    '.GIT',
    '.git.',
    '.git ',
    'git~1',
    '.g\u200cit',
    'HEAD',
    'node_modules',
    'NODE_M~1',
    '..',
    '.',
    '~',
  ],
  ...['\\', ':', '\0', '__proto__', 'constructor'],
];
const aPath = fc.oneof(
  textOf(parts),
  fc
    .tuple(fc.constantFrom('src/app/', 'src/generated/', 'src/runtime/'), textOf(parts))
    .map((all) => all.join('')),
);

/** Normalizes a name as file systems do: no case, no invisible characters, no dots and spaces at its end. */
function plain(segment) {
  return segment
    .replace(/[\u200c\u200d\ufeff]/g, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
}

/** Paths in a lock are inside the project and not git's or npm's; others are refused with a reason. */
export async function locks(load) {
  const { parseLock } = await load('src/emit/lock');
  const { canEmit, isReserved } = await load('src/emit/emitted-paths');
  const { isSafePath } = await load('src/emit/generated-file');
  const member = jsonWith(['GET /a', 'a', 'name', 'files'], ['sha256-a', 'a', '1']);
  const lock = fc.record(
    {
      format: fc.oneof(fc.constantFrom(1, 2, 2, 2, 3, -1, 1e9), member),
      compiler: fc.oneof({ weight: 5, arbitrary: fc.constant('1.0.0') }, member),
      names: fc.oneof({ weight: 5, arbitrary: fc.dictionary(aPath, fc.string()) }, member),
      files: fc.oneof({ weight: 8, arbitrary: fc.dictionary(aPath, fc.string()) }, member),
      owned: fc.oneof(fc.dictionary(aPath, fc.string()), member),
      inputs: fc.oneof(fc.dictionary(aPath, fc.string()), member),
      bases: member,
      package: member,
      operationIds: member,
      hash: member,
    },
    { requiredKeys: ['format', 'compiler', 'names', 'files'] },
  );
  const text = fc.oneof(
    { weight: 6, arbitrary: lock.map((value) => JSON.stringify(value)) },
    textOf(['{', '}', '"format"', ':', '2', ',', '"files"', '<<<<<<< HEAD\n', '[', ']']),
  );
  return fc.property(text, (written) => {
    const read = parseLock(written);
    for (const path of Object.keys(read?.files ?? {})) {
      if (!isSafePath(path)) throw new Error(`unsafe: ${JSON.stringify(path)}`);
      const isOfOthers = path
        .split('/')
        .some((each) => ['.git', 'git~1', 'node_modules', 'node_m~1'].includes(plain(each)));
      if (isOfOthers && (!isReserved(path) || canEmit(path)))
        throw new Error(`taken: ${JSON.stringify(path)}`);
    }
    if ({}.polluted !== undefined) throw new Error('polluted');
  });
}

/** A journal that nobody has signed is never read, and one that was changed after it was signed neither. */
export async function journals(load) {
  const { readJournal, writeJournal } = await load('src/write/journal');
  const { nodeFileSystem } = await load('src/write/file-system');
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'mcpgen-fuzz-')));
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
  // The key of whoever runs this is not for it.
  process.env.XDG_CACHE_HOME = join(home, 'cache');
  const folder = join(home, 'p', '.mcpgen-1-00000000');
  const change = fc.record({ path: aPath, hash: fc.string(), replaces: fc.boolean() });
  const journal = fc.record({
    format: fc.constantFrom(1, 1, 1, 2),
    folders: fc.array(aPath, { maxLength: 2 }),
    removals: fc.array(aPath, { maxLength: 2 }),
    changes: fc.array(fc.oneof({ weight: 5, arbitrary: change }, jsonWith(['path'], ['a'])), {
      maxLength: 2,
    }),
  });
  const spoil = fc.oneof(
    fc.constant(undefined),
    fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      by: fc.string({ minLength: 1, maxLength: 3 }),
    }),
  );
  return fc.asyncProperty(journal, spoil, async (given, spoilt) => {
    let text = '';
    const fs = {
      ...nodeFileSystem,
      look: async () => ({ kind: 'file', mode: 0o600 }),
      writeText: async (_, contents) => void (text = contents),
      rename: async () => undefined,
      readText: async () => text,
    };
    const root = join(home, 'p');
    await writeJournal(given, { root, folder, fs });
    const whole = text;
    if (spoilt !== undefined) {
      const at = Math.floor(spoilt.at * text.length);
      text = text.slice(0, at) + spoilt.by + text.slice(at + spoilt.by.length);
    }
    const read = await readJournal(root, folder, fs);
    const isWhole = JSON.stringify(parsed(text)) === JSON.stringify(parsed(whole));
    if (isWhole ? read === 'foreign' : read !== 'foreign') throw new Error(`read as ${JSON.stringify(read)}`);
    const paths =
      typeof read === 'object'
        ? [...read.folders, ...read.removals, ...read.changes.map((each) => each.path)]
        : [];
    for (const path of paths)
      if (path.split('/').some((each) => ['', '..', '.git'].includes(plain(each))))
        throw new Error(`taken: ${path}`);
  });
}

function parsed(text) {
  try {
    const { journal, signature } = JSON.parse(text);
    return [journal, signature];
  } catch {
    return undefined;
  }
}
