// The second half of `npm run build`: tsc has written JavaScript of src/ and test/ to dist/.build, which becomes dist/.
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const built = 'dist/.build';
const compiled = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx'];

// A tsconfig.json of one's own may write to dist/ itself.
if (existsSync(built)) {
  // dist/app of linked code, and tests that tsc was not asked for, stay.
  const kept = ['.build', 'app', 'test'].filter((name) => name === '.build' || !isBuilt(name));
  for (const name of readdirSync('dist'))
    if (!kept.includes(name)) rmSync(join('dist', name), { recursive: true });
  // Modules that tests import run from dist/src, with a state of their own.
  if (
    readFiles(join(built, 'test'), '.js').some((file) => /["']\.\.\/src\//.test(readFileSync(file, 'utf8')))
  )
    cpSync(join(built, 'src'), join(built, 'copy'), { recursive: true });
  correctMaps(join(built, 'src'), '../../');
  correctMaps(join(built, 'test'), '../');
  correctMaps(join(built, 'copy'), '../');
  for (const name of readdirSync(join(built, 'src')))
    renameSync(join(built, 'src', name), join('dist', name));
  if (existsSync(join(built, 'test'))) renameSync(join(built, 'test'), 'dist/test');
  if (existsSync(join(built, 'copy'))) renameSync(join(built, 'copy'), 'dist/src');
  rmSync(built, { recursive: true });
}
// What tsc leaves out: modules that are JavaScript already, the licence, and the files that the user's code reads beside itself.
copy('src/runtime', 'runtime', (file) => extname(file) === '.js' || file.endsWith('LICENSE'));
copy('src/app', 'app', (file) => !compiled.includes(extname(file)));

function isBuilt(name) {
  return existsSync(join(built, 'src', name)) || existsSync(join(built, name));
}

function readFiles(folder, extension) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(extension))
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** Source maps name sources by relative paths, which change when files move to folders above: `up` is what they lose. */
function correctMaps(folder, up) {
  for (const file of readFiles(folder, '.map'))
    writeFileSync(file, readFileSync(file, 'utf8').replace(`"sources":["${up}`, '"sources":["'));
}

function copy(from, to, isCopied) {
  for (const target of ['dist', 'dist/src'].filter((folder) => existsSync(join(folder, to))))
    for (const file of readFiles(from, '').filter(isCopied))
      cpSync(file, join(target, file.slice('src/'.length)));
}
