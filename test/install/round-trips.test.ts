// What `install` adds and `uninstall` removes, over configurations that people have: every other byte stays.
import fc from 'fast-check';
import { rmSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { INSTALL_CLIENT_NAMES, type InstallClientName } from '../../src/config/options/install-options.ts';
import { INSTALL_CLIENTS } from '../../src/install/clients.ts';
import { backupPath } from '../../src/install/config-file.ts';
import { appendToJsonList, getJsonAt, removeJsonAt, setJsonAt } from '../../src/install/json-edit.ts';
import { getTableAt } from '../../src/install/toml-edit.ts';
import { type Desk, makeDesk } from './support.ts';

/** Configurations of clients that read JSON; `S` stands for the member with the servers. */
const JSON_FILES: Record<string, string | undefined> = {
  'no file': undefined,
  'an empty file': '',
  'blanks alone': '\n\n',
  'an empty object': '{}',
  'an empty object over lines': '{\n}\n',
  'no servers': '{\n  "theme": "dark"\n}\n',
  'no servers, a comma at the end': '{\n  "theme": "dark",\n}\n',
  'no server yet': '{\n  "S": {}\n}\n',
  'no server yet, over lines': '{\n\t"S": {\n\t},\n\t"theme": "dark"\n}\n',
  'another server': '{\n  "S": {\n    "other": {\n      "command": "x"\n    }\n  }\n}\n',
  'servers between others':
    '{\n  "a": 1,\n  "S": {\n    "other": { "command": "x", "args": ["-y"] }\n  },\n  "z": [1,2]\n}',
  tabs: '{\n\t"S": {\n\t\t"other": {\n\t\t\t"command": "x"\n\t\t}\n\t}\n}\n',
  'odd indentation': '{\n   "S":\n {\n         "other" : {"command":"x"}\n   }\n , "z":1 }\n',
  'one line': '{"a":1,"S":{"other":{"command":"x"}}}',
  'one line with blanks': '{ "S": { "other": { "command": "x" } }, "z": 2 }\n',
  'one line without servers': '{"a":1}',
  'line breaks of Windows':
    '{\r\n  "S": {\r\n    "other": {\r\n      "command": "x"\r\n    }\r\n  }\r\n}\r\n',
  'a byte order mark': '\uFEFF{\n  "S": {\n    "other": { "command": "x" }\n  }\n}\n',
  comments:
    '// mine\n{\n  /* the\n     servers */\n  "S": { // all\n    "other": { "command": "x" } // the other\n    // "off": { "command": "y" }\n  } /* end */\n}\n// end\n',
  'only a comment among the servers': '{\n  "S": {\n    // none yet\n  }\n}\n',
  'commas at the ends': '{\n  "S": {\n    "other": { "command": "x", }, // it\n  },\n}\n',
  'a comment on one line': '{ "S": { "other": {} /* x */ } }\n',
  'servers twice, of which the last counts': '{\n  "S": { "old": {} },\n  "S": {\n    "other": {}\n  }\n}\n',
  'names that need quotes': '{\n  "S": {\n    "a\\"b\\u00e9": { "command": "C:\\\\x" }\n  }\n}\n',
};

const TOML_FILES: Record<string, string | undefined> = {
  'no file': undefined,
  'an empty file': '',
  'other settings': 'model = "o5"\n\n[tui]\nnotifications = true\n',
  'no line break at the end': 'model = "o5"',
  'another server':
    '# mine\n[mcp_servers.other]\ncommand = "x" # it\n  args = [ "-y",\n   "[mcp_servers.petstore-mcp]", ]\n\n[mcp_servers.other.env]\nA = "1"\n',
  'servers between others':
    'a = 1\n[mcp_servers]\n[mcp_servers.other]\ncommand="x"\n\n\n# about z\n[z]\nq = 2026-01-01T00:00:00Z\n',
  'line breaks of Windows': 'a = 1\r\n\r\n[z]\r\nb = """\r\n[mcp_servers.petstore-mcp]\r\n"""\r\n',
  'a byte order mark': '\uFEFFa = 1\n',
  tabs: '\t[z]\n\t\ta = 1\n',
};

function filesFor(client: InstallClientName): [string, string | undefined][] {
  const { format, servers } = INSTALL_CLIENTS[client];
  const files = format === 'json' ? JSON_FILES : TOML_FILES;
  return Object.entries(files).map(([name, text]) => [
    name,
    text?.replaceAll('"S"', JSON.stringify(servers)),
  ]);
}

function entryIn(client: InstallClientName, text: string, name = 'petstore-mcp'): unknown {
  const { format, servers } = INSTALL_CLIENTS[client];
  const path = [servers, name];
  return format === 'json'
    ? getJsonAt(text.replace('\uFEFF', ''), path)
    : getTableAt(text.replace('\uFEFF', ''), path);
}

/** Whether `after` is `before` with one piece put in, and perhaps a comma before it. */
function isInsertion(before: string, after: string): boolean {
  const shared = [...before].findIndex((letter, at) => letter !== after[at]);
  const start = shared === -1 ? before.length : shared;
  const rest = before.slice(start);
  const added = after.slice(start).replace(/^,/, '');
  return Array.from({ length: rest.length + 1 }, (_, at) => at).some(
    (at) =>
      (added.startsWith(rest.slice(0, at)) && added.endsWith(rest.slice(at))) ||
      (after.slice(start).startsWith(rest.slice(0, at)) && after.endsWith(rest.slice(at))),
  );
}

let desk: Desk;
beforeAll(async () => {
  desk = await makeDesk();
});

describe.each(INSTALL_CLIENT_NAMES)('%s', (client) => {
  test.each(filesFor(client))('over %s', async (_, before) => {
    const path = desk.path(client);
    desk.lay(path, before);
    const installed = await desk.run(['install', 'pets', '--client', client]);
    expect(installed).toMatchObject({ exitCode: 0 });
    const after = desk.read(path) ?? '';
    expect(entryIn(client, after)).toMatchObject({ command: process.execPath });
    if (before !== undefined && before.trim() !== '') expect(isInsertion(before, after)).toBe(true);

    const again = await desk.run(['install', 'pets', '--client', client]);
    expect(again.stdout).toContain('is in');
    expect(desk.read(path)).toBe(after);

    const removed = await desk.run(['uninstall', 'pets', '--client', client]);
    expect(removed).toMatchObject({ exitCode: 0 });
    expect(desk.read(path)).toBe(before);
    expect(desk.read(backupPath(path))).toBeUndefined();
  });

  test.each(filesFor(client).filter(([, text]) => /other/.test(text ?? '')))(
    'over %s, without the backup',
    async (_, before) => {
      const path = desk.path(client);
      desk.lay(path, before);
      await desk.run(['install', 'pets', '--client', client]);
      rmSync(backupPath(path));
      await desk.run(['uninstall', 'pets', '--client', client]);
      expect(desk.read(path)).toBe(before);
      rmSync(backupPath(path));
    },
  );

  test.each(filesFor(client))('over %s, with another of ours behind it', async (_, before) => {
    const path = desk.path(client);
    desk.lay(path, before);
    await desk.run(['install', 'pets', '--client', client]);
    await desk.run(['install', 'pets', '--client', client, '--name', 'second']);
    await desk.run(['uninstall', 'pets', '--client', client]);
    const left = desk.read(path) ?? '';
    expect(entryIn(client, left)).toBeUndefined();
    expect(entryIn(client, left, 'second')).toMatchObject({ command: process.execPath });
    if (before !== undefined && before.trim() !== '') expect(isInsertion(before, left)).toBe(true);
    await desk.run(['uninstall', 'pets', '--client', client, '--name', 'second']);
    rmSync(backupPath(path), { force: true });
  });
});

const blank = fc.constantFrom('', ' ', '\n', '\n  ', '\t', ' /* c */ ', '\n// c\n', '\r\n');

/** Objects with members, printed with any blanks and comments between the tokens. */
const odd = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('1', 'null', '"x,}//"', '[]', '[1, 2]', '{}'),
    tie('object'),
  ),
  object: fc
    .tuple(
      fc.uniqueArray(fc.constantFrom('a', 'b', 'c//', 'd"', 'é'), { minLength: 1, maxLength: 3 }),
      fc.array(fc.tuple(blank, blank, blank, blank, tie('value')), { minLength: 3, maxLength: 3 }),
      fc.boolean(),
    )
    .map(([names, parts, hasComma]) => {
      const members = names.map((name, at) => {
        const [before, mid, middle, after, value] = parts[at] ?? ['', '', '', '', '1'];
        return `${before}${JSON.stringify(name)}${mid}:${middle}${value}${after}`;
      });
      return `{${members.join(',')}${hasComma ? ',' : ''}}`;
    }),
})).object;

test('any object gets a member, and loses it again, byte for byte', () => {
  const entry = { command: 'node', args: ['a', 'b,}'], env: { A: '${B}' } };
  fc.assert(
    fc.property(odd, blank, (object, end) => {
      const before = object + end;
      const after = setJsonAt(before, ['mine'], entry);
      expect(getJsonAt(after, ['mine'])).toEqual(entry);
      expect(isInsertion(before, after)).toBe(true);
      expect(removeJsonAt(after, ['mine'])).toBe(before);
    }),
  );
});

test('a list gets an item, and loses it again', () => {
  for (const before of ['{"inputs": [ {"id": 1} ]}', '{\n  "inputs": [\n    { "id": 1 }, // x\n  ],\n}\n']) {
    const after = appendToJsonList(before, 'inputs', { id: 2 });
    expect(getJsonAt(after, ['inputs', 1])).toEqual({ id: 2 });
    expect(removeJsonAt(after, ['inputs', 1])).toBe(before);
  }
});
