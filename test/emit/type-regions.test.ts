// Types of features that a project lacks are left out of modules that all projects have.
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { readRuntime } from '../../src/emit/assets.ts';
import { withoutRegions } from '../../src/emit/runtime-files.ts';
import { FEATURES } from '../../templates/runtime/features.ts';

const TEXT = 'a\n// #region ask\nb\n// #endregion\n\nc\n  // #region functions ask\n  d\n  // #endregion\n';

test.each([
  ['ask', TEXT],
  ['functions', 'a\nc\n  // #region functions ask\n  d\n  // #endregion\n'],
  ['http', 'a\nc\n'],
])('regions of types stay with their features: %s', (loader, want) => {
  expect(withoutRegions(TEXT, new Set([loader]))).toBe(want);
});

test('a module that imports a type of a region has no features but those of the region', () => {
  const { sources } = readRuntime();
  const loaderOf = new Map(
    FEATURES.flatMap(({ entries }) => entries.map((each) => [each.module, each.loader])),
  );
  const faults: string[] = [];
  let found = 0;
  for (const { path, contents } of sources)
    for (const [, names = '', body = ''] of contents.matchAll(
      /^\/\/ #region ([\w ]+)\n([^]*?)^\/\/ #endregion/gm,
    ))
      for (const [declared, type = ''] of body.matchAll(/^export (?:interface|type) (\w+)/gm))
        for (const user of withoutRegions(contents, new Set()).includes(declared) ? [] : sources) {
          const least = withoutRegions(user.contents, new Set());
          const imports = [...least.matchAll(/^import (?:type )?\{([^}]*)\} from '(\.[^']*)'/gm)];
          const isUsed = imports.some(
            ([, list = '', from = '']) =>
              posix.join(posix.dirname(user.path), from) === path && new RegExp(`\\b${type}\\b`).test(list),
          );
          if (!isUsed) continue;
          found += 1;
          const loaders = user.entries?.map((entry) => loaderOf.get(entry) ?? entry) ?? ['every project'];
          const others = loaders.filter((loader) => !names.split(' ').includes(loader));
          if (others.length > 0)
            faults.push(`${user.path} imports ${type}, and goes with ${others.join(', ')}`);
        }
  expect(found).toBeGreaterThan(10);
  expect(faults).toEqual([]);
});
