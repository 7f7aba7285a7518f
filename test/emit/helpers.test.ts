import { expect, test } from 'vitest';
import { helpers } from '../../src/emit/templates/helpers.ts';
import { hostileText } from './models.ts';

const options = { hash: {}, data: { language: 'ts' } };
const call = (name: string, ...parameters: unknown[]) => helpers[name]?.(...parameters, options);

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
