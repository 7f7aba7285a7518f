// The second half of `npm run build`: tsc has written JavaScript of src/ and test/ to dist/.build, which becomes dist/.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const built = 'dist/.build';
const compiled = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx'];
// Path → hash of what this script and `mcpgen generate` have written to dist/. All other files there are data of the server.
const record = 'dist/.mcpgen.json';
let files = readRecord();

// A tsconfig.json of one's own may write to dist/ itself.
if (existsSync(built)) {
  // dist/app of linked code, and tests that tsc was not asked for, stay.
  const kept = ['app', 'test'].filter((name) => !isBuilt(name)).map((name) => `dist/${name}/`);
  for (const file of readFiles('dist', '').filter(isUnchanged))
    if (!kept.some((folder) => file.startsWith(folder))) rmSync(file);
  files = Object.fromEntries(Object.entries(files).filter(([file]) => existsSync(file)));
  // Modules that tests import run from dist/src, with a state of their own.
  if (
    readFiles(join(built, 'test'), '.js').some((file) => /["']\.\.\/src\//.test(readFileSync(file, 'utf8')))
  )
    cpSync(join(built, 'src'), join(built, 'copy'), { recursive: true });
  correctMaps(join(built, 'src'), '../../');
  correctMaps(join(built, 'test'), '../');
  correctMaps(join(built, 'copy'), '../');
  move('src', 'dist');
  move('test', 'dist/test');
  move('copy', 'dist/src');
  rmSync(built, { recursive: true });
}
// What tsc leaves out: the licence, and the files that the user's code reads beside itself.
copy('src/runtime', 'runtime', (file) => file.endsWith('LICENSE'));
copy('src/app', 'app', (file) => !compiled.includes(extname(file)));
writeFileSync(record, `${JSON.stringify({ lock: '', files, generated: {} })}\n`);

function isBuilt(name) {
  return existsSync(join(built, 'src', name)) || existsSync(join(built, name));
}

function readRecord() {
  try {
    const { others, files } = JSON.parse(readFileSync(record, 'utf8'));
    return { ...others, ...files };
  } catch {
    return {};
  }
}

function isUnchanged(file) {
  return files[file] === hashFile(file);
}

function hashFile(file) {
  const text = readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  return `sha256-${createHash('sha256').update(text).digest('hex')}`;
}

function readFiles(folder, extension) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(extension))
    .map(({ parentPath, name }) => join(parentPath, name).replaceAll('\\', '/'));
}

/** Source maps name sources by relative paths, which change when files move to folders above: `up` is what they lose. */
function correctMaps(folder, up) {
  for (const file of readFiles(folder, '.map'))
    writeFileSync(file, readFileSync(file, 'utf8').replace(`"sources":["${up}`, '"sources":["'));
}

function move(from, to) {
  for (const file of readFiles(join(built, from), ''))
    write(file, `${to}${file.slice(join(built, from).length)}`);
}

function copy(from, to, isCopied) {
  for (const target of ['dist', 'dist/src'].filter((folder) => existsSync(join(folder, to))))
    for (const file of readFiles(from, '').filter(isCopied))
      write(file, `${target}/${file.slice('src/'.length)}`);
}

function write(from, to) {
  const isData =
    existsSync(to) && !compiled.includes(extname(to)) && !to.endsWith('.map') && !isUnchanged(to);
  if (isData && hashFile(from) !== hashFile(to)) {
    console.error(`${to} was changed after it had been copied, and stays. Delete it to get ${from} again.`);
    return;
  }
  cpSync(from, to);
  files[to] = hashFile(from);
}
