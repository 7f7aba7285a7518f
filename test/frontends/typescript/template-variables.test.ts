// `@resource` takes a URI, or a URI template of RFC 6570.
import { expect, test } from 'vitest';
import { findTemplateProblem } from '../../../src/frontends/typescript/functions/read-resource.ts';
import { listTemplateVariables } from '../../../src/util/uri-template.ts';

test.each([
  { template: 'a:b', want: [] },
  { template: 'a:{x}', want: ['x'] },
  { template: 'a:{x:3}/{x}', want: ['x'] },
  { template: 'a:b{?q,limit}{&more*}', want: ['q', 'limit', 'more'] },
  { template: 'a:{+path}{#part}{.ext}{/list*}{;at}', want: ['path', 'part', 'ext', 'list', 'at'] },
])('$template has $want', ({ template, want }) => {
  expect(findTemplateProblem(template)).toBeUndefined();
  expect(listTemplateVariables(template)).toEqual(want);
});

test.each([
  { template: '', want: /missing/ },
  { template: 'stations/{id}', want: /no scheme/ },
  { template: 'a:{x} y', want: /white space/ },
  { template: 'a:{x', want: /"\{" without "\}"/ },
  { template: 'a:x}', want: /"\}" without "\{"/ },
  { template: 'a:{}', want: /not an expression of RFC 6570/ },
  { template: 'a:{=x}', want: /not an expression of RFC 6570/ },
  { template: 'a:{x:0}', want: /not an expression of RFC 6570/ },
  { template: 'a:{x:10000}', want: /not an expression of RFC 6570/ },
  { template: 'a:{x.y}', want: /`x\.y` can't be the name of a parameter/ },
  { template: 'http://[', want: /no URI/ },
])('$template is refused', ({ template, want }) => {
  expect(findTemplateProblem(template)).toMatch(want);
});
