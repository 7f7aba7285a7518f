import fc from 'fast-check';
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
