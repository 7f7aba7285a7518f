/**
 * `node prepare.mjs <folder> <base URL> <versions of OpenAPI> [<words>]`: writes the OpenAPI documents of the scenarios in
 * folders that hold one of the words, and the requests the scenarios expect, as data. Runs beside the packages that know
 * them, since those want a newer Node.
 */
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { compile, NodeHost } from '@typespec/compiler';
import { getOpenAPI3 } from '@typespec/openapi3';
import { expandDyns } from '@typespec/spec-api';

const [folder, baseUrl, versions, words = ''] = process.argv.slice(2);
const packageFolder = path.join(import.meta.dirname, 'node_modules/@typespec/http-specs');

/** Files of that name in the chosen folders, relative to `cwd`. */
function chosen(name, cwd) {
  const files = globSync(`**/${name}`, { cwd });
  return files
    .filter((file) => words.split(',').some((word) => path.dirname(file).includes(word)))
    .toSorted();
}

/** The emitter ends in an exception where a parameter is called `constructor`: it is left out. */
const host = {
  ...NodeHost,
  readFile: async (file) => {
    const source = await NodeHost.readFile(file);
    if (!file.endsWith('special-words/main.tsp')) return source;
    return { ...source, text: source.text.replace(/^.*\bwithConstructor\b.*$/m, '') };
  },
};

const documents = [];
for (const main of chosen('main.tsp', path.join(packageFolder, 'specs'))) {
  const spec = path.dirname(main);
  const program = await compile(host, path.join(packageFolder, 'specs', main), { noEmit: true });
  for (const openapi of versions.split(','))
    for (const service of await getOpenAPI3(program, { 'openapi-versions': [openapi] }))
      for (const { version, document } of service.versioned ? service.versions : [service])
        documents.push({ spec, openapi, version, file: write(spec, openapi, version, document) });
}

function write(spec, openapi, version, document) {
  const name = [spec.replaceAll('/', '_'), ...(version === undefined ? [] : [version])].join('@');
  const file = path.join(folder, openapi, `${name}.json`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(document));
  return file;
}

const scenarios = [];
for (const file of chosen('mockapi.js', path.join(packageFolder, 'dist/specs'))) {
  const { Scenarios } = await import(pathToFileURL(path.join(packageFolder, 'dist/specs', file)));
  for (const [name, { apis }] of Object.entries(Scenarios))
    scenarios.push({ name, spec: path.dirname(file), requests: apis.map(requestOf) });
}

/** What a scenario expects of one request. Bytes are base64. */
function requestOf({ method, uri, request = {} }) {
  const { query = {}, headers = {} } = expandDyns(
    { query: request.query, headers: request.headers },
    { baseUrl },
  );
  return { method: method.toUpperCase(), uri, query, headers, body: bodyOf(request.body) };
}

function bodyOf(body) {
  if (body === undefined) return undefined;
  if (body.kind === 'multipart') return { parts: body.parts ?? {}, files: (body.files ?? []).map(fileOf) };
  const { rawContent = '' } = body;
  const content =
    typeof rawContent === 'string' || Buffer.isBuffer(rawContent)
      ? rawContent
      : rawContent.serialize({ baseUrl });
  return { base64: Buffer.from(content).toString('base64') };
}

function fileOf({ fieldname, originalname, buffer, mimetype }) {
  return {
    property: fieldname,
    filename: originalname,
    mediaType: mimetype,
    base64: buffer.toString('base64'),
  };
}

writeFileSync(path.join(folder, 'judge.json'), JSON.stringify({ documents, scenarios }));
