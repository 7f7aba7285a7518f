/** Observes the files of a program, and the places of missing ones. */
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { ts } from 'ts-morph';
import type { Observer } from '../../../model/observer.ts';
import { moduleSpecifiers } from '../app/module-specifiers.ts';
import { packageOf } from '../app/package-of.ts';

/** Files of packages are left out, since a change of their `package.json` shows a new version. */
export function observeProgram(program: ts.Program, observer: Observer): void {
  for (const file of program.getSourceFiles()) {
    if (file.fileName.includes('/node_modules/')) continue;
    observer.file(file.fileName);
    for (const { literal } of moduleSpecifiers(file)) observeModule(literal.text, file, program, observer);
  }
}

export function observedSystem(observer: Observer | undefined): ts.System {
  if (observer === undefined) return ts.sys;
  return {
    ...ts.sys,
    readFile: (path, encoding) => {
      if (!path.includes('/node_modules/')) observer.file(path);
      return ts.sys.readFile(path, encoding);
    },
  };
}

function observeModule(name: string, from: ts.SourceFile, program: ts.Program, observer: Observer): void {
  const folder = posix.dirname(from.fileName);
  if (!name.startsWith('.')) {
    const packageName = packageOf(name);
    const manifest = packageName === undefined ? undefined : findManifest(packageName, folder);
    if (manifest !== undefined) observer.file(manifest);
    return;
  }
  const places = listCandidates(posix.join(folder, name));
  if (places.some((place) => program.getSourceFile(place) !== undefined)) return;
  for (const place of places) observer.file(place);
}

/** The files that a relative specifier may refer to. */
function listCandidates(path: string): string[] {
  const stem = path.replace(/\.[cm]?jsx?$/, '');
  const named = stem === path ? [] : ['.ts', '.tsx', '.mts', '.cts', '.d.ts'].map((end) => `${stem}${end}`);
  const open = ['.ts', '.tsx', '.d.ts', '.js', '/index.ts', '/index.js'].map((end) => `${path}${end}`);
  return [path, ...named, ...open];
}

/** The manifest's place by the nearest `package.json`, even if it is missing. */
function findManifest(packageName: string, folder: string): string | undefined {
  if (existsSync(posix.join(folder, 'package.json')))
    return posix.join(folder, 'node_modules', packageName, 'package.json');
  const parent = posix.dirname(folder);
  return parent === folder ? undefined : findManifest(packageName, parent);
}
