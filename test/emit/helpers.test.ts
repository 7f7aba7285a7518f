import { expect, test } from 'vitest';
import { helpers } from '../../src/emit/templates/helpers.ts';
import { hostileText } from './models.ts';

const options = { hash: {}, data: { language: 'ts' } };
const call = (name: string, ...parameters: unknown[]) => helpers[name]?.(...parameters, options);

test.each([
  ['ident', ['get.pet'], "'get.pet'"],
  ['module', ['./server'], "'./server.ts'"],
  ['json', [{ a: [1, 'b'] }], '{\n  "a": [1, "b"]\n}'],
  ['json', [{ a: 1 }, 2], '{\n    "a": 1\n  }'],
  ['member', ['info', 'x'], "info: 'x',"],
  ['jsdoc', ['ends */ here\n@tag'], 'ends *\\/ here @tag'],
  ['line', ['a\nb\u2028c'], 'a b c'],
  ['markdown', ['# a | <b> *c* [d](e)'], '\\# a \\| \\<b\\> \\*c\\* \\[d\\](e)'],
  ['markdown', ['1. a - b'], '1\\. a - b'],
  ['markdown', ['- a'], '\\- a'],
  ['codespan', ['GET /a'], '`GET /a`'],
  ['codespan', ['a `b` ``c`` | d'], '```a `b` ``c`` \\| d```'],
  ['yaml', ["a: 'b' #\nc"], "'a: ''b'' # c'"],
])('{{%s %j}} is %s', (name, parameters, want) => {
  expect(call(name, ...parameters)).toBe(want);
});

test('JavaScript names built modules, as tsc prints them', () => {
  expect(helpers['module']?.('./server', { hash: {}, data: { language: 'js' } })).toBe('"./server.js"');
});

test.each(['jsdoc', 'line', 'markdown', 'codespan', 'ident', 'yaml'])(
  '%s keeps hostile text on one line',
  (name) => {
    expect(call(name, hostileText)).not.toMatch(/[\n\r\u2028\u2029\u0000]/);
  },
);

test('a block comment cannot be ended from inside', () => {
  expect(call('jsdoc', '*/ */**/')).not.toContain('*/');
});

test.each(['json', 'member', 'ident', 'jsdoc', 'line', 'markdown', 'codespan', 'module', 'yaml'])(
  '%s refuses a field the view does not have',
  (name) => {
    expect(() => call(name, undefined, undefined)).toThrow(TypeError);
  },
);
