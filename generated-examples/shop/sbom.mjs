// Prints what this project is made of: CycloneDX 1.6, as JSON. Packages are those of package-lock.json, else those installed;
// none that only development needs.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

/** A file that is no JSON object, or has no packages where there must be some, is told, not shown by a stack. */
function read(file, isUsable = () => true, words = 'as npm writes it: run npm install again') {
  let json;
  try {
    json = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
  } catch {
    // Told below.
  }
  if (isObject(json) && isUsable(json)) return json;
  console.error(`${file} can't be read ${words}.`);
  process.exit(1);
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Of the versions that npm has written since its seventh. */
function hasPackages({ packages }) {
  return isObject(packages) && Object.values(packages).every(isObject);
}

const { name, version, description, dependencies = {}, optionalDependencies = {} } = read('package.json');
const lock = ['package-lock.json', 'node_modules/.package-lock.json'].find((file) =>
  existsSync(new URL(file, import.meta.url)),
);
const all = lock === undefined ? {} : read(lock, hasPackages).packages;
const packages = Object.entries(all).filter(
  // `devOptional` is of both kinds, so `npm ci --omit=dev` installs it.
  ([place, { dev, link }]) => place !== '' && !dev && !link,
);
const compiled = existsSync(new URL('mcpgen.lock', import.meta.url))
  ? read('mcpgen.lock', undefined, 'as mcpgen writes it: compile the project again').compiler
  : undefined;
const places = new Set(packages.map(([place]) => place));

const isPlaced = (one) => places.has(`node_modules/${one}`);
// npm puts optional ones among the others, and a machine may lack them.
const missing = Object.keys(dependencies).filter((one) => !isPlaced(one) && !(one in optionalDependencies));
if (missing.length > 0) {
  console.error(`There is no version of ${missing.join(', ')} yet: run npm install first.`);
  process.exit(1);
}

const nameOf = (place, { name: own }) => own ?? place.slice(place.lastIndexOf('node_modules/') + 13);
const purlOf = (of, at) => `pkg:npm/${of.replace('@', '%40')}@${encodeURIComponent(at)}`;

/** What came from a repository says from which commit, since no registry has it; not by whose password. */
function sourceOf({ resolved = '' }) {
  if (!/^git[+:]/.test(resolved) || !URL.canParse(resolved)) return '';
  const url = new URL(resolved);
  url.password = '';
  if (url.protocol !== 'git+ssh:') url.username = '';
  return `?vcs_url=${encodeURIComponent(url.href)}`;
}

/** Where a package that stands in `place` finds `wanted`: the nearest node_modules above. */
function placeOf(wanted, place) {
  const found = `${place}node_modules/${wanted}`;
  if (places.has(found)) return [found];
  return place === '' ? [] : placeOf(wanted, place.slice(0, place.lastIndexOf('node_modules/')));
}

/** Subresource Integrity (`sha512-…`) as CycloneDX has it. */
function hashesOf(integrity) {
  return integrity.split(' ').map((one) => {
    const [, bits, digest] = /^sha(\d+)-([^?]+)/.exec(one);
    return { alg: `SHA-${bits}`, content: Buffer.from(digest, 'base64').toString('hex') };
  });
}

/** An expression of SPDX where it can be one; npm also has `UNLICENSED` and `SEE LICENSE IN …`. */
function licensesOf(license) {
  const isExpression = /^\(*[\w.+:-]+\)*(?: (?:AND|OR|WITH) \(*[\w.+:-]+\)*)*$/i.test(license);
  return isExpression && license !== 'UNLICENSED'
    ? [{ expression: license }]
    : [{ license: { name: license } }];
}

function componentOf([place, entry]) {
  const { version: at, license, integrity } = entry;
  const of = nameOf(place, entry);
  return {
    type: 'library',
    'bom-ref': place,
    name: of,
    version: at,
    ...(integrity === undefined ? {} : { hashes: hashesOf(integrity) }),
    ...(typeof license === 'string' ? { licenses: licensesOf(license) } : {}),
    purl: `${purlOf(of, at)}${sourceOf(entry)}`,
  };
}

/** The code below src/runtime/, of the mcpgen that compiled the project. */
const runtime = {
  type: 'library',
  'bom-ref': 'src/runtime',
  name: 'mcpgen',
  ...(compiled === undefined ? {} : { version: compiled }),
  licenses: [{ expression: 'MIT' }],
  purl: compiled === undefined ? 'pkg:npm/mcpgen' : purlOf('mcpgen', compiled),
};
const self = `${name}@${version}`;
const graph = [
  {
    ref: self,
    dependsOn: [
      runtime['bom-ref'],
      ...Object.keys({ ...dependencies, ...optionalDependencies })
        .filter(isPlaced)
        .map((one) => `node_modules/${one}`),
    ],
  },
  { ref: runtime['bom-ref'], dependsOn: [] },
  ...packages.map(([place, entry]) => ({
    ref: place,
    dependsOn: Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }).flatMap((one) =>
      placeOf(one, `${place}/`),
    ),
  })),
];

const bom = {
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  serialNumber: `urn:uuid:${randomUUID()}`,
  version: 1,
  metadata: {
    timestamp: new Date().toISOString(),
    component: {
      type: 'application',
      'bom-ref': self,
      name,
      version,
      description,
      purl: purlOf(name, version),
    },
  },
  components: [runtime, ...packages.map(componentOf)],
  dependencies: graph,
};
console.log(JSON.stringify(bom, undefined, 2));
