// Prints what this project is made of: CycloneDX 1.6, as JSON. Packages are those of package-lock.json, else those installed;
// none that only development needs.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

const read = (file) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
const { name, version, description, dependencies = {} } = read('package.json');
const lock = ['package-lock.json', 'node_modules/.package-lock.json'].find((file) =>
  existsSync(new URL(file, import.meta.url)),
);
const all = lock === undefined ? {} : read(lock).packages;
const packages = Object.entries(all).filter(
  ([place, { dev, devOptional, link }]) => place !== '' && !dev && !devOptional && !link,
);
const places = new Set(packages.map(([place]) => place));

const missing = Object.keys(dependencies).filter((one) => !places.has(`node_modules/${one}`));
if (missing.length > 0) {
  console.error(`There is no version of ${missing.join(', ')} yet: run npm install first.`);
  process.exit(1);
}

const nameOf = (place, { name: own }) => own ?? place.slice(place.lastIndexOf('node_modules/') + 13);
const purlOf = (of, at) => `pkg:npm/${of.replace('@', '%40')}@${encodeURIComponent(at)}`;

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

function componentOf([place, entry]) {
  const { version: at, license, integrity } = entry;
  const of = nameOf(place, entry);
  return {
    type: 'library',
    'bom-ref': place,
    name: of,
    version: at,
    ...(integrity === undefined ? {} : { hashes: hashesOf(integrity) }),
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
    purl: purlOf(of, at),
  };
}

const self = `${name}@${version}`;
const graph = [
  { ref: self, dependsOn: Object.keys(dependencies).map((one) => `node_modules/${one}`) },
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
  components: packages.map(componentOf),
  dependencies: graph,
};
console.log(JSON.stringify(bom, undefined, 2));
