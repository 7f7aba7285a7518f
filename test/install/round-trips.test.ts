// What `install` adds and `uninstall` removes, over configurations that people have: everything else stays.
import { expect, test } from 'vitest';
import { getJsonAt, setJsonAt, setJsonList } from '../../src/install/json-edit.ts';
import { getTableAt, removeTableAt, setTableAt } from '../../src/install/toml-edit.ts';

const ENTRY = { command: 'node', args: ['a', 'b,}'], env: { A: '${B}' } };

const JSON_FILES: Record<string, string> = {
  'an empty file': '',
  'no servers, a comma at the end': '{\n  "theme": "dark",\n}\n',
  tabs: '{\n\t"S": {\n\t\t"other": {\n\t\t\t"command": "x"\n\t\t}\n\t}\n}\n',
  'line breaks of Windows':
    '{\r\n  "S": {\r\n    "other": {\r\n      "command": "x"\r\n    }\r\n  }\r\n}\r\n',
  comments:
    '// mine\n{\n  /* the\n     servers */\n  "S": { // all\n    "other": { "command": "x" } // the other\n    // "off": { "command": "y" }\n  } /* end */\n}\n// end\n',
  'only a comment among the servers': '{\n  "S": {\n    // none yet\n  }\n}\n',
};

const comments = (text: string): string[] => text.match(/\/\/.*|\/\*[^]*?\*\//g) ?? [];

test.each(Object.entries(JSON_FILES))('JSON: %s', (_, before) => {
  const added = setJsonAt(before, ['S', 'mine'], ENTRY);
  expect(getJsonAt(added, ['S', 'mine'])).toEqual(ENTRY);
  expect(comments(added)).toEqual(comments(before));
  expect(added.includes('\r\n')).toBe(before.includes('\r\n'));
  const removed = setJsonAt(added, ['S', 'mine'], undefined);
  const others = before === '' ? {} : (getJsonAt(before, []) as object);
  expect(getJsonAt(removed, [])).toEqual({ S: {}, ...others });
  expect(comments(removed)).toEqual(comments(before));
});

test('a list gets an item', () => {
  const before = '{\n  "inputs": [\n    { "id": 1 }\n  ]\n}\n';
  expect(getJsonAt(setJsonList(before, 'inputs', [{ id: 1 }, { id: 2 }]), ['inputs', 1])).toEqual({ id: 2 });
  expect(() => setJsonList('{ "inputs": 1 }', 'inputs', [])).toThrow('"inputs" is not a list');
});

const TOML_FILES: Record<string, string> = {
  'an empty file': '',
  'another server':
    '# mine\n[S.other]\ncommand = "x" # it\n  args = [ "-y",\n   "[S.mine]", ]\n\n[S.other.env]\nA = "1"\n',
  'servers between others':
    'a = 1\n[S]\n[S.other]\ncommand="x"\n\n\n# about z\n[z]\nq = 2026-01-01T00:00:00Z\n',
  'line breaks of Windows': 'a = 1\r\n\r\n[z]\r\nb = 2\r\n',
};

test.each(Object.entries(TOML_FILES))('TOML: %s', (_, before) => {
  const added = setTableAt(before, ['S', 'mine'], ENTRY);
  expect(getTableAt(added, ['S', 'mine'])).toEqual(ENTRY);
  expect(added.startsWith(before.trimEnd())).toBe(true);
  expect(setTableAt(added, ['S', 'mine'], ENTRY)).toBe(added);
  const behind = setTableAt(added, ['S', 'second'], ENTRY);
  expect(getTableAt(removeTableAt(behind, ['S', 'mine']), ['S', 'second'])).toEqual(ENTRY);
  expect(removeTableAt(added, ['S', 'mine']).trimEnd()).toBe(before.trimEnd());
});

test('a table whose text is found in another value is left alone', () => {
  const text = 'a = """\n[S.mine]\n"""\n[S.mine]\nb = 1\n';
  expect(() => removeTableAt(text, ['S', 'mine'])).toThrow('cannot be written as a table of its own');
});
