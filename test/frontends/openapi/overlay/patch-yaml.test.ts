// A changed YAML text: what does not change stays byte for byte, comments included.
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import {
  editOverlay,
  replaceOverlayUpdates,
} from '../../../../src/frontends/openapi/overlay/print-overlay.ts';
import { patchYaml } from '../../../../src/frontends/openapi/overlay/patch-yaml.ts';

type Rec = Record<string, unknown>;

interface Row {
  what: string;
  text: string;
  after: Rec;
  want: string | undefined;
}

const ROWS: Row[] = [
  {
    what: 'a value',
    text: '# top\na: 1 # one\n\n# two\nb: x\nc: [1, 2] # three\n# end\n',
    after: { a: 1, b: 'z', c: [1, 2] },
    want: '# top\na: 1 # one\n\n# two\nb: z\nc: [1, 2] # three\n# end\n',
  },
  {
    what: 'a member of a member, by each kind of key',
    text: "a:\n  # in\n  \"x: 1\": 1 # o\n  'it''s': 2\n  plain key: 3\nb: 1\n",
    after: { a: { 'x: 1': 1, "it's": 5, 'plain key': 3 }, b: 1 },
    want: 'a:\n  # in\n  "x: 1": 1 # o\n  it\'s: 5\n  plain key: 3\nb: 1\n',
  },
  {
    what: 'members that come and go',
    text: 'a:\n  # gone\n  b: 1\n  # stays\n  c: 2\n',
    after: { a: { c: 2, d: { e: ['f'] } } },
    want: 'a:\n  # gone\n  # stays\n  c: 2\n  d:\n    e:\n      - f\n',
  },
  {
    what: 'items at the indentation of their key',
    text: 'list:\n# first\n- target: a # A\n  m: 1\n# second\n- target: b\n  m: 2 # B\nlast: 1\n',
    after: {
      list: [
        { target: 'a', m: 1 },
        { target: 'b', m: 3 },
        { target: 'c', m: 4 },
      ],
      last: 1,
    },
    want: 'list:\n# first\n- target: a # A\n  m: 1\n# second\n- target: b\n  m: 3\n- target: c\n  m: 4\nlast: 1\n',
  },
  {
    what: 'an item that goes',
    text: 'list:\n  - target: a\n  -   target: b # B\n      m: 1\n  - target: c # C\n',
    after: { list: [{ target: 'b', m: 2 }, { target: 'c' }] },
    want: 'list:\n  -   target: b # B\n      m: 2\n  - target: c # C\n',
  },
  {
    what: 'texts of several lines',
    text: 'a: |\n  # no comment\n\n  - no: item\nb: >-\n  folded\n  text\nc: 1\n',
    after: { a: '# no comment\n\n- no: item\n', b: 'folded text', c: 'x\n\ny\n' },
    want: 'a: |\n  # no comment\n\n  - no: item\nb: >-\n  folded\n  text\nc: |\n  x\n\n  y\n',
  },
  {
    what: 'line ends of Windows',
    text: 'a: 1\r\n# two\r\nb: 2\r\n',
    after: { a: 1, b: 3 },
    want: 'a: 1\r\n# two\r\nb: 3\r\n',
  },
  { what: 'JSON is not patched', text: '{ "a": 1 }', after: { a: 2 }, want: undefined },
];

test.each(ROWS)('$what', ({ text, after, want }) => {
  const patched = patchYaml(text, load(text) as Rec, after);
  expect(patched).toBe(want);
  if (patched !== undefined) expect(load(patched)).toEqual(after);
});

const OVERLAY = `# Words for the models.
overlay: 1.1.0
info: { title: Mine, version: '1' } # not generated

actions:
  # Asked for by support.
  - target: $.paths["/pets"].get
    update:
      x-mcp:
        # Models took it for a search.
        description: Lists pets. # short
        title: Pets
  # Another hand's.
  - target: $.info
    update: { contact: { name: Ada } }
`;

test('an edit keeps the comments of the rest of the overlay', async () => {
  const old = { file: 'mcpgen.overlay.yaml', text: OVERLAY };
  const edit = (pointer: string, change: (xMcp: Rec) => Rec) => [{ pointer, change }];
  const titled = await editOverlay(
    'x',
    old,
    edit('/paths/~1pets/get', (xMcp) => ({ ...xMcp, title: 'All pets' })),
  );
  expect(titled).toBe(OVERLAY.replace('title: Pets', 'title: All pets'));
  const added = await editOverlay(
    'x',
    old,
    edit('/paths/~1pets/post', () => ({ pin: true })),
  );
  expect(added).toBe(
    `${OVERLAY}  - target: $.paths["/pets"].post\n    update:\n      x-mcp:\n        pin: true\n`,
  );
  const gone = await editOverlay(
    'x',
    old,
    edit('/paths/~1pets/get', () => ({})),
  );
  expect(gone).toContain("# Another hand's.\n  - target: $.info");
  expect(gone).not.toContain('Lists pets');
});

test('a renewed overlay keeps its comments too', async () => {
  const update = { 'x-mcp': { title: 'New', description: 'Lists all pets.' } };
  const { text } = await replaceOverlayUpdates({ file: 'o.yaml', text: OVERLAY }, [
    { pointer: '/paths/~1pets/get', update },
  ]);
  expect(text).toContain('# Asked for by support.\n  - target: $.paths["/pets"].get');
  expect(text).toContain('# Models took it for a search.\n        description: Lists all pets.\n');
  expect(text).toContain("info: { title: Mine, version: '1' } # not generated");
});

test('an overlay whose parts cannot be found is printed anew', async () => {
  const text = JSON.stringify(load(OVERLAY));
  const edited = await editOverlay('x', { file: 'o.yaml', text }, [
    { pointer: '/paths/~1pets/get', change: () => ({ pin: true }) },
  ]);
  expect(load(edited ?? '')).toMatchObject({ actions: [{ update: { 'x-mcp': { pin: true } } }, {}] });
});
