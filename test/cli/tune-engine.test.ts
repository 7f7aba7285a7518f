import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { engineFlags } from '../../src/cli/engine.ts';

describe('the engine waits for longer before it optimises', () => {
  test('by flags that the engine running here knows', () => {
    const flags = engineFlags(process.versions.v8);
    const known = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8' }).stdout;
    const names = flags.map((flag) => flag.slice(0, flag.indexOf('=')));
    expect(names).not.toEqual([]);
    expect(names.filter((name) => !new RegExp(`^ *${name} \\(`, 'm').test(known))).toEqual([]);
  });

  test.each(['10.2.154', '99.1.2', ''])(
    'and an engine that is not listed, %j, is left as it is',
    (version) => {
      expect(engineFlags(version)).toEqual([]);
    },
  );
});
