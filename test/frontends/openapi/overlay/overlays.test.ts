/** Overlays applied to a document: the rules of the Overlay Specification 1.1.0, section "Action Object". */
import { describe, expect, test } from 'vitest';
import { DiagnosticCollector } from '../../../../src/diagnostics/collector.ts';
import type { Report } from '../../../../src/frontends/openapi/report.ts';
import { defaultDocumentLimits } from '../../../../src/frontends/openapi/load/loaded-document.ts';
import { parseEntry } from '../../../../src/frontends/openapi/load/load-entry.ts';
import { applyOverlays } from '../../../../src/frontends/openapi/overlay/apply-overlays.ts';
import { readOverlay } from '../../../../src/frontends/openapi/overlay/read-overlay.ts';

const LIMITS = { ...defaultDocumentLimits, jsonDepth: 30, overlaid: 100_000 };

interface Applied {
  value: unknown;
  told: string[];
  writtenAt: (pointer: string) => string | undefined;
}

async function apply(document: unknown, ...overlays: unknown[]): Promise<Applied> {
  const diagnostics = new DiagnosticCollector();
  const report: Report = (...problem) => diagnostics.report(...problem);
  const entry = (file: string, value: unknown) => ({
    file,
    uri: `file:///${file}`,
    text: typeof value === 'string' ? value : JSON.stringify(value),
  });
  const parsed = parseEntry(entry('api.yaml', document), LIMITS, report);
  const read = overlays.map((overlay, index) =>
    readOverlay(entry(`${index + 1}.overlay.yaml`, overlay), LIMITS, report),
  );
  const usable = read.filter((overlay) => overlay !== undefined);
  const applied =
    parsed === undefined || usable.length < read.length
      ? undefined
      : await applyOverlays(parsed, usable, LIMITS, report);
  return {
    value: applied?.value,
    told: diagnostics.found.map(({ name, message, origin }) => {
      const place = origin?.kind === 'document' ? `${origin.file}#${origin.pointer}` : '';
      return `${name} ${place} ${message}`;
    }),
    writtenAt: (pointer) => {
      const place = applied?.writtenAt?.(pointer);
      return place && `${place.file}#${place.pointer}`;
    },
  };
}

function overlay(...actions: object[]): object {
  return { overlay: '1.1.0', info: { title: 'test', version: '1.0.0' }, actions };
}

const update = (target: string, value: unknown): object => ({ target, update: value });
const remove = (target: string): object => ({ target, remove: true });
const copy = (target: string, from: string): object => ({ target, copy: from });

describe('what an action does', () => {
  test.each<[string, unknown, object[], unknown]>([
    [
      'an object is merged',
      { a: { b: 1, c: 2 } },
      [update('$.a', { c: 3, d: 4 })],
      { a: { b: 1, c: 3, d: 4 } },
    ],
    [
      'at every depth',
      { a: { b: { c: 1 } } },
      [update('$', { a: { b: { d: 2 } } })],
      { a: { b: { c: 1, d: 2 } } },
    ],
    ['a list is joined', { a: [1] }, [update('$.a', [2, 3])], { a: [1, 2, 3] }],
    ['an item is appended', { a: [1] }, [update('$.a', { b: 2 })], { a: [1, { b: 2 }] }],
    ['a plain value is replaced', { a: { b: 1 } }, [update('$.a.b', 'x')], { a: { b: 'x' } }],
    ['in a list', { a: [1, 2, 3] }, [update('$.a[1]', 9)], { a: [1, 9, 3] }],
    ['all places', { a: { x: {}, y: {} } }, [update('$.a.*', { z: 1 })], { a: { x: { z: 1 }, y: { z: 1 } } }],
    [
      'by a filter',
      { a: [{ n: 1 }, { n: 2 }] },
      [update('$.a[?@.n == 2]', { k: 1 })],
      { a: [{ n: 1 }, { n: 2, k: 1 }] },
    ],
    ['the root', {}, [update('$', { a: 1 })], { a: 1 }],
    ['each place once', { a: [1] }, [update('$["a","a"]', 2)], { a: [1, 2] }],
    ['a member is removed', { a: { b: 1, c: 2 } }, [remove('$.a.b')], { a: { c: 2 } }],
    ['items are removed', { a: [1, 2, 3, 4] }, [remove('$.a[0,2]')], { a: [2, 4] }],
    ['more than ten', { a: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] }, [remove('$.a[?@ > 1]')], { a: [0, 1] }],
    ['what is inside of what is removed', { a: { x: { x: 1 }, y: 2 } }, [remove('$..x')], { a: { y: 2 } }],
    ['removing wins', { a: { b: 1 } }, [{ target: '$.a', remove: true, update: { c: 1 } }], {}],
    [
      '`remove: false` is nothing',
      { a: {} },
      [{ target: '$.a', remove: false, update: { c: 1 } }],
      { a: { c: 1 } },
    ],
    [
      'a place is copied',
      { a: { x: 1 }, b: { y: 2 } },
      [copy('$.b', '$.a')],
      { a: { x: 1 }, b: { y: 2, x: 1 } },
    ],
    ['into itself', { a: { x: 1, b: {} } }, [copy('$.a.b', '$.a')], { a: { x: 1, b: { x: 1, b: {} } } }],
    [
      'a place is moved',
      { a: { x: 1 } },
      [update('$', { b: {} }), copy('$.b', '$.a'), remove('$.a')],
      { b: { x: 1 } },
    ],
    [
      'replaced by another kind',
      { a: { b: 1 } },
      [remove('$.a.b'), update('$.a', { b: [1] })],
      { a: { b: [1] } },
    ],
  ])('%s', async (_, document, actions, want) => {
    const { value, told } = await apply(document, overlay(...actions));
    expect(told).toEqual([]);
    expect(value).toEqual(want);
  });

  test('`__proto__` is a member like others', async () => {
    const hostile =
      '{"overlay":"1.1.0","info":{"title":"t","version":"1"},"actions":[{"target":"$.a","update":{"__proto__":{"polluted":1}}}]}';
    const { value } = await apply('{"a":{}}', hostile);
    expect(JSON.stringify(value)).toBe('{"a":{"__proto__":{"polluted":1}}}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('several overlays are applied in order', async () => {
    const { value } = await apply({ a: 1 }, overlay(update('$', { b: 1 })), overlay(update('$.b', 2)));
    expect(value).toEqual({ a: 1, b: 2 });
  });
});

describe('where a place was written', () => {
  test.each<[string, unknown, object[], string, string]>([
    ['untouched', { a: { b: 1 } }, [update('$', { c: 1 })], '/a/b', 'api.yaml#/a/b'],
    ['added', { a: {} }, [update('$.a', { b: { c: 1 } })], '/a/b/c', '1.overlay.yaml#/actions/0/update/b/c'],
    ['replaced', { a: { b: 1 } }, [update('$.a.b', 2)], '/a/b', '1.overlay.yaml#/actions/0/update'],
    ['beside what was added', { a: { b: 1 } }, [update('$.a', { c: 2 })], '/a/b', 'api.yaml#/a/b'],
    ['appended', { a: [1] }, [update('$.a', [2, 3])], '/a/2', '1.overlay.yaml#/actions/0/update/1'],
    ['appended alone', { a: [1] }, [update('$.a', { x: 2 })], '/a/1/x', '1.overlay.yaml#/actions/0/update/x'],
    ['after an item that is gone', { a: [{ x: 1 }, { x: 2 }] }, [remove('$.a[0]')], '/a/0/x', 'api.yaml#/a'],
    ['copied', { a: { x: 1 }, b: {} }, [copy('$.b', '$.a')], '/b/x', 'api.yaml#/a/x'],
    [
      'a key with a slash',
      { paths: { '/a': {} } },
      [update('$.paths["/a"]', { g: 1 })],
      '/paths/~1a/g',
      '1.overlay.yaml#/actions/0/update/g',
    ],
  ])('%s', async (_, document, actions, pointer, want) => {
    const { writtenAt, told } = await apply(document, overlay(...actions));
    expect(told).toEqual([]);
    expect(writtenAt(pointer)).toBe(want);
  });
});

describe('what is told', () => {
  const nesting = Array.from({ length: 40 }, (_, index) => ({
    ...copy('$.a', '$'),
    description: `${index}`,
  }));
  test.each<[string, object, string]>([
    [
      'nothing matches',
      overlay(remove('$.b')),
      'idle-overlay-action 1.overlay.yaml#/actions/0 The action on `$.b` changes nothing: no place of the document matches.',
    ],
    [
      'nothing is said',
      overlay({ target: '$.a' }),
      'idle-overlay-action 1.overlay.yaml#/actions/0 The action on `$.a` changes nothing: it says neither `update`, `copy` nor `remove`.',
    ],
    [
      'no JSONPath',
      overlay(remove('$.a[')),
      'invalid-overlay 1.overlay.yaml#/actions/0 The action on `$.a[` failed: the query $.a[ is not JSONPath: unclosed bracketed selection.',
    ],
    ['the whole document', overlay(remove('$')), 'failed: the whole document cannot be removed.'],
    [
      'a list into an object',
      overlay(update('$.a', [])),
      'a is an object, and a list cannot be merged into it.',
    ],
    [
      'an object into a plain value',
      overlay(update('$.a.n', {})),
      'a › n is a number, and an empty object cannot be merged into it.',
    ],
    [
      'a plain value into an object, within',
      overlay(update('$', { a: 1 })),
      'a is an object, and a number cannot be merged into it.',
    ],
    [
      'places of several kinds',
      overlay(update('$.a.*', 1)),
      'its places must be of one kind, and are lists and plain values.',
    ],
    ['nothing to copy', overlay(copy('$.a', '$.none')), '`copy` must select one place, and selects none.'],
    ['too much to copy', overlay(copy('$.a', '$.a.*')), '`copy` must select one place, and selects several.'],
    ['a copy of a copy of a copy', overlay(...nesting), 'the document would nest deeper than 30 levels.'],
    [
      'no overlay',
      { openapi: '3.1.0' },
      'invalid-overlay 1.overlay.yaml# The overlay 1.overlay.yaml cannot be used: it has no member "overlay".',
    ],
    [
      'a newer version',
      { ...overlay(remove('$.a')), overlay: '2.0.0' },
      '"overlay" must be a version that is supported, 1.0.0 or 1.1.0, as text.',
    ],
    [
      'a misspelt member',
      overlay({ target: '$.a', updates: {} }),
      'invalid-overlay 1.overlay.yaml#/actions/0/updates The overlay 1.overlay.yaml cannot be used: "actions[0]" has an unknown member "updates" (did you mean "update"?).',
    ],
    ['no query', overlay(remove('a')), '"actions[0].target" is "a"; a JSONPath query begins with `$`.'],
  ])('%s', async (_, given, want) => {
    const { told } = await apply({ a: { n: 1, l: [] } }, given);
    expect(told.join('\n')).toContain(want);
  });

  test('a document that grows without end', async () => {
    const actions = Array.from({ length: 40 }, (_, index) => [
      update('$', { [`a${index + 1}`]: [] }),
      copy(`$.a${index + 1}`, `$.a${index}`),
      { ...copy(`$.a${index + 1}`, `$.a${index}`), description: 'again' },
    ]);
    const { value, told } = await apply({ a0: [1] }, overlay(...actions.flat()));
    expect(value).toBeUndefined();
    expect(told[0]).toContain('the document would become too large');
  });

  test('all faults of an overlay', async () => {
    const { told } = await apply({}, { overlay: '1.1.0', info: { title: 1 }, actions: [{}, 2] });
    expect(told).toHaveLength(4);
  });
});
