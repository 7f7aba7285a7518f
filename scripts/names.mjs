/**
 * `npm run names`: the share of variables, parameters and fields whose names are pronouns or participles, by folder
 * of src/ and templates/runtime/. Such a name says where a value comes from, not what it is. `--list` prints each
 * with its place. Fails above the limit.
 */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

import { root } from './lib/repository.mjs';
import { table } from './lib/table.mjs';
import { readOptions } from './lib/usage.mjs';

/** Shares of other projects: jose 0.2 %, Redocly 0.7 %. */
const LIMIT = 1.5;
const NAMES = new Set(
  (
    'own found given known most each made told words held kept said wanted meant later look passed left asked taken ' +
    'written named others'
  ).split(' '),
);

const { values } = readOptions('npm run names [-- --list]', { options: { list: { type: 'boolean' } } });

const declarations = ['src', 'templates/runtime'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => readDeclarations(path.join(folder, file))),
);
const folders = [...new Set(declarations.map(({ folder }) => folder))];
const shares = folders.map((name) => ({
  folder: name,
  ...measure(declarations.filter(({ folder }) => folder === name)),
}));
const srcShare = measure(declarations.filter(({ folder }) => folder.startsWith('src'))).share;

if (values.list)
  for (const { place, name } of declarations.filter(({ isPronoun }) => isPronoun))
    console.log(`${place} ${name}`);
const rows = shares.map(({ folder, names, pronouns, share }) => [folder, names, pronouns, `${share} %`]);
console.log(table(['folder', 'names', 'pronouns', 'share'], rows));
console.log(`src: ${srcShare} % (at most ${LIMIT} %)`);
process.exitCode = srcShare > LIMIT ? 1 : 0;

function measure(names) {
  const pronouns = names.filter(({ isPronoun }) => isPronoun).length;
  return {
    names: names.length,
    pronouns,
    share: Math.round((1000 * pronouns) / Math.max(1, names.length)) / 10,
  };
}

function readDeclarations(file) {
  const source = ts.createSourceFile(
    file,
    readFileSync(path.join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const folder = file
    .split(path.sep)
    .slice(0, file.startsWith('templates') ? 3 : 2)
    .join('/');
  const names = [];
  const visit = (node) => {
    const isDeclared =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isPropertyDeclaration(node) ||
      ts.isPropertySignature(node) ||
      ts.isMethodDeclaration(node);
    if (isDeclared && (ts.isIdentifier(node.name) || ts.isPrivateIdentifier(node.name))) {
      const name = node.name.text.replace(/^#/, '');
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      names.push({ folder, name, place: `${file}:${String(line)}`, isPronoun: NAMES.has(name) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}
