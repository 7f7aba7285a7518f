import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot, sourceFiles } from './support/source-files.ts';

interface Module {
  file: string;
  imports: { to: string; isType: boolean }[];
}

const IMPORT = /^(?:import|export)( type)?\s(?:[^'";]*\sfrom\s)?'(\.[^']+)'/gm;

function readModules(folder: string): Module[] {
  return sourceFiles([folder]).map((file) => {
    const text = readFileSync(join(repositoryRoot, file), 'utf8');
    const imports = [...text.matchAll(IMPORT)].map(([, type, specifier = '']) => ({
      to: join(dirname(file), specifier),
      isType: type !== undefined,
    }));
    return { file, imports };
  });
}

/** Groups of modules that import each other, at whatever distance (Tarjan). */
function circlesIn(modules: readonly Module[], withTypes: boolean): string[][] {
  const imports = new Map(modules.map((module) => [module.file, module.imports]));
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const groups: string[][] = [];
  const lowOf = (file: string): number => low.get(file) ?? Infinity;
  const visit = (file: string): void => {
    const place = index.size;
    index.set(file, place);
    low.set(file, place);
    stack.push(file);
    for (const { to, isType } of imports.get(file) ?? []) {
      if ((isType && !withTypes) || !imports.has(to)) continue;
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) low.set(file, Math.min(lowOf(file), lowOf(to)));
    }
    if (lowOf(file) !== place) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) groups.push(group);
  };
  for (const { file } of modules) if (!index.has(file)) visit(file);
  return groups;
}

test.each(['src', 'templates/runtime'])('no modules of %s import values in a circle', (folder) => {
  const modules = readModules(folder);
  expect(modules.flatMap(({ imports }) => imports).length).toBeGreaterThan(300);
  expect(circlesIn(modules, false)).toEqual([]);
});

// The core of the runtime is one folder, whose modules share the types of `feature.ts`.
test('modules of src that import types in a circle are at most four, of one folder', () => {
  const circles = circlesIn(readModules('src'), true);
  const tooWide = circles.filter((files) => files.length > 4 || new Set(files.map(dirname)).size > 1);
  expect(tooWide).toEqual([]);
});
