// Packs the server as an MCP bundle (.mcpb): what it needs to run, and nothing else. Nothing is downloaded, and the same
// files give the same bytes.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateRawSync } from 'node:zlib';

const root = dirname(fileURLToPath(import.meta.url));
const read = (folder, file) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
const { name, version } = read(root, 'package.json');
const { version: described } = read(root, 'manifest.json');

if (described !== version)
  stop(`manifest.json is of ${described}, and package.json of ${version}: mcpgen generate makes them one.`);
if (!existsSync(join(root, 'dist/main.js'))) stop('There is no dist/ yet: npm install makes it.');

const files = [
  ...readdirSync(root)
    .filter((file) => /^(?:package|manifest)\.json$|^(?:README|LICEN[CS]E|NOTICE)(?:\.\w+)?$/i.test(file))
    .map((file) => [file, join(root, file)]),
  ...filesIn(join(root, 'dist'), 'dist').filter(([path]) => !isLeftOut(path)),
  ...filesIn(join(root, 'src/generated'), 'src/generated').filter(([path]) => path.endsWith('.json')),
  ...[...packagesOf(root)].flatMap(([place, folder]) => filesIn(folder, place)),
];
const bundle = zip(files.sort(([one], [other]) => (one < other ? -1 : 1)));
const target = `${name.split('/').at(-1)}-${version}.mcpb`;
writeFileSync(join(root, target), bundle);
const digest = createHash('sha256').update(bundle).digest('hex');
console.log(`${target}: ${files.length} files, ${Math.ceil(bundle.length / 1024)} KiB, SHA-256 ${digest}`);

function stop(words) {
  console.error(words);
  process.exit(1);
}

function isLeftOut(path) {
  return /^dist\/(?:test|src)\/|(?:\.test\.js|^dist\/\.mcpgen\.json|\/\.env[^/]*)$/.test(path);
}

/** Every file below a folder, with its path in the bundle. Links are not followed; packages come by themselves. */
function filesIn(folder, to) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const [from, path] = [join(folder, entry.name), `${to}/${entry.name}`];
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesIn(from, path);
    return entry.isFile() ? [[path, from]] : [];
  });
}

/** Packages that run with the server: place in the bundle → folder. Each finds there what it finds here. */
function packagesOf(project) {
  const places = new Map();
  const place = (folder, at) => {
    const added = dependenciesOf(folder).flatMap((wanted) => {
      const found = findPackage(wanted, folder);
      const known = nearest(places, wanted, at);
      if (found === undefined || known === found) return [];
      const to = `${known === undefined ? '' : at}node_modules/${wanted}`;
      places.set(to, found);
      return [[found, `${to}/`]];
    });
    for (const [found, to] of added) place(found, to);
  };
  place(project, '');
  return places;
}

/** Of optional ones those that are installed. */
function dependenciesOf(folder) {
  const manifest = read(folder, 'package.json');
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = manifest;
  const peers = Object.keys(peerDependencies).filter(
    (wanted) => manifest.peerDependenciesMeta?.[wanted]?.optional !== true,
  );
  const required = [...Object.keys(dependencies), ...peers].filter(
    (wanted) => !(wanted in optionalDependencies),
  );
  const missing = required.filter((wanted) => findPackage(wanted, folder) === undefined);
  if (missing.length > 0) stop(`${missing.join(', ')} cannot be found: run npm install first.`);
  return [...new Set([...required, ...Object.keys(optionalDependencies)])];
}

/** The package's folder, in the nearest node_modules above, as Node.js looks for it. */
function findPackage(wanted, folder) {
  const found = join(folder, 'node_modules', wanted);
  if (existsSync(join(found, 'package.json'))) return realpathSync(found);
  return dirname(folder) === folder ? undefined : findPackage(wanted, dirname(folder));
}

/** The same in the bundle. */
function nearest(places, wanted, at) {
  const found = places.get(`${at}node_modules/${wanted}`);
  if (found !== undefined || at === '') return found;
  return nearest(places, wanted, at.slice(0, at.lastIndexOf('node_modules/')));
}

/** A ZIP archive (PKWARE's APPNOTE.TXT, section 4.3), each file of 1 January 1980. */
function zip(all) {
  const [contents, listing] = [[], []];
  let offset = 0;
  for (const [path, from] of all) {
    const [label, bytes] = [Buffer.from(path), readFileSync(from)];
    const packed = deflateRawSync(bytes, { level: 9 });
    const sizes = [number(crc32(bytes), 4), number(packed.length, 4), number(bytes.length, 4)];
    // Version 2.0, names in UTF-8, deflated, time and date; nothing beside the name.
    const entry = [...[20, 0x800, 8, 0, 0x21].map((field) => number(field, 2)), ...sizes];
    const header = Buffer.concat([...entry, number(label.length, 2), number(0, 2)]);
    const local = Buffer.concat([number(0x04034b50, 4), header, label, packed]);
    contents.push(local);
    // Made on Unix, an ordinary file that all may read.
    const attributes = [number(0, 6), number(0o100644 * 0x10000, 4), number(offset, 4)];
    listing.push(Buffer.concat([number(0x02014b50, 4), number(0x314, 2), header, ...attributes, label]));
    offset += local.length;
  }
  const directory = Buffer.concat(listing);
  const counts = [number(0, 4), number(all.length, 2), number(all.length, 2)];
  const end = [
    number(0x06054b50, 4),
    ...counts,
    number(directory.length, 4),
    number(offset, 4),
    number(0, 2),
  ];
  return Buffer.concat([...contents, directory, ...end]);
}

function number(value, bytes) {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
}
