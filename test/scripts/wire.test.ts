// Result of the independent judges: nothing unknown may pass, and no known miss may stay without need.
import { expect, test } from 'vitest';
import { type Exclusion, type Miss, sortMisses } from '../../scripts/lib/wire/exclusions.mjs';
import { type Judged, summarize } from '../../scripts/lib/wire/report.mjs';
import { type KnownScenarios, scoreOf } from '../../scripts/lib/wire/spector/score.mjs';
import { prismFault, steadyFault } from '../../scripts/lib/wire/verdicts.mjs';

function miss(tool: string, reason: string, document = 'a.yaml'): Miss {
  return { document, tool, sample: 'full', reason, sent: 'GET /' };
}

test.each<[string, Miss[], Exclusion, 'known' | 'unknown']>([
  ['the tool', [miss('get', 'type')], { document: 'a.yaml', tools: ['get'], why: 'w' }, 'known'],
  ['all tools', [miss('get', 'type')], { document: 'a.yaml', tools: '*', why: 'w' }, 'known'],
  ['another tool', [miss('put', 'type')], { document: 'a.yaml', tools: ['get'], why: 'w' }, 'unknown'],
  ['another document', [miss('get', 'type', 'b')], { document: 'a.yaml', tools: '*', why: 'w' }, 'unknown'],
  [
    'the words',
    [miss('get', 'wrong type of id')],
    { document: 'a.yaml', tools: '*', because: 'type', why: 'w' },
    'known',
  ],
  [
    'other words',
    [miss('get', 'not found')],
    { document: 'a.yaml', tools: '*', because: 'type', why: 'w' },
    'unknown',
  ],
])('an exclusion of %s', (_, misses, exclusion, kind) => {
  const [known, unknown] = kind === 'known' ? [misses, []] : [[], misses];
  expect(sortMisses(misses, [exclusion])).toEqual({
    known: known.map((one) => ({ ...one, why: 'w' })),
    unknown,
    unneeded: kind === 'known' ? [] : [exclusion],
  });
});

const judged: Judged = { document: 'a.yaml', tools: 100, calls: 200, misses: [miss('get', 'type')] };
const fine = { judged: [judged], exclusions: [], unknown: [], unneeded: [] };
const unjudged: Exclusion = { document: 'b.yaml', tools: '*', why: 'w' };

test.each<[string, Parameters<typeof summarize>[0], string[]]>([
  ['enough', fine, []],
  ['a new miss', { ...fine, unknown: [miss('get', 'x')] }, ['a.yaml get full: an unknown miss']],
  ['an old one', { ...fine, unneeded: [unjudged] }, ['b.yaml *: excluded without need']],
  [
    'too many known ones',
    { ...fine, judged: [{ ...judged, misses: Array<unknown>(3).fill(0) }] },
    ['98.50 % valid, less than 99.00 %'],
  ],
  [
    'no document that counts',
    { ...fine, judged: [{ ...judged, document: 'b.yaml' }], exclusions: [unjudged] },
    ['0.00 % valid, less than 99.00 %', '0 documents, less than 1'],
  ],
])('a run with %s', (_, run, faults) => {
  expect(summarize(run, { share: 0.99, documents: 1 }).faults).toEqual(faults);
});

test('a document that the judge cannot judge does not count, and a peer counts where it can do something', () => {
  const peer = { tools: 10, calls: 20, misses: Array<unknown>(5).fill(0) };
  const failed = { tools: 0, calls: 0, misses: [], failed: 'does not compile' };
  const all = [
    { ...judged, peer },
    { ...judged, document: 'b.yaml', peer },
    { ...judged, document: 'c.yaml', peer: failed },
  ];
  const summary = summarize({ ...fine, judged: all, exclusions: [unjudged] }, { share: 0.99, documents: 1 });
  expect(summary).toEqual({
    documents: 2,
    ours: { tools: 200, calls: 400, valid: 398, share: 0.995 },
    peer: { documents: 1, tools: 10, calls: 20, valid: 15, share: 0.75 },
    faults: [],
  });
});

const scenarios = ['a', 'b', 'c', 'd'].map((name) => ({ name }));
const pass = { a: 'pass', b: 'pass', c: 'pass', d: 'pass', other: 'fail' };

test.each<[string, Record<string, string>, KnownScenarios[], number, string[]]>([
  ['all pass', pass, [], 1, []],
  ['one is missed', { ...pass, d: 'fail' }, [], 0.75, ['d: an unknown miss', '75.00 %, less than 80.00 %']],
  [
    'a known one counts',
    { ...pass, d: 'fail' },
    [{ scenarios: ['d'], why: 'w' }],
    0.75,
    ['75.00 %, less than 80.00 %'],
  ],
  [
    'what can’t be said does not',
    { ...pass, d: 'fail' },
    [{ scenarios: ['d'], inexpressible: true, why: 'w' }],
    1,
    [],
  ],
  [
    'known for another version',
    { ...pass, d: 'fail' },
    [{ scenarios: ['d'], openapi: ['3.2.0'], inexpressible: true, why: 'w' }],
    0.75,
    ['d: an unknown miss', '75.00 %, less than 80.00 %'],
  ],
  ['excluded without need', pass, [{ scenarios: ['d'], why: 'w' }], 1, ['d: excluded without need']],
  ['excluded, and not played', pass, [{ scenarios: ['other'], why: 'w' }], 1, []],
])('scenarios: %s', (_, coverage, exclusions, share, faults) => {
  const score = scoreOf({
    openapi: '3.1.0',
    scenarios,
    faults: new Map(),
    coverage,
    exclusions,
    wanted: 0.8,
  });
  expect({ share: score.share, faults: score.faults }).toEqual({ share, faults });
});

test('a miss is told in the words of the call, else by its state', () => {
  const faults = new Map([['a', ['400 no id']]]);
  const coverage = { ...pass, a: 'not-implemented', b: 'fail' };
  const { misses } = scoreOf({ openapi: '3.1.0', scenarios, faults, coverage, exclusions: [], wanted: 0 });
  expect(misses.map(({ name, reason }) => `${name} ${reason}`)).toEqual(['a 400 no id', 'b fail']);
});

const steadyError = {
  'x-steady-request-valid': 'false',
  'x-steady-error-count': '1',
  'x-steady-error-1-code': 'E3007',
  'x-steady-error-1-path': 'body',
  'x-steady-error-1-message': 'Missing required property: name',
};

test.each<[string, number, Record<string, string>, string | undefined]>([
  ['a valid request', 200, { 'x-steady-request-valid': 'true' }, undefined],
  ['a wrong one', 400, steadyError, 'E3007 body Missing required property: name'],
  ['no verdict', 500, {}, '500 without a verdict: oops'],
])('Steady on %s', (_, status, answerHeaders, fault) => {
  expect(steadyFault({ status, answerHeaders, answerText: 'oops' })).toBe(fault);
});

const [ofRequest, ofResponse] = ['request', 'response'].map((side) => ({
  location: [side, 'body'],
  code: 'type',
  message: 'must be object',
}));
const problem = '{"type":"https://stoplight.io/prism/errors#NO_PATH_MATCHED_ERROR"}';

test.each<[string, number, unknown[] | undefined, string, string | undefined]>([
  ['a valid request', 200, undefined, '{}', undefined],
  ['a wrong one', 422, [ofRequest], problem, 'request.body type must be object'],
  ['its own wrong answer', 500, [ofResponse], '{}', undefined],
  ['both wrong', 500, [ofRequest, ofResponse], '{}', 'request.body type must be object'],
  ['an unknown path', 404, undefined, problem, `404 ${problem}`],
  ['a failure that the document describes', 404, undefined, '{}', undefined],
])('Prism on %s', (_, status, violations, answerText, fault) => {
  const answerHeaders = violations === undefined ? {} : { 'sl-violations': JSON.stringify(violations) };
  expect(prismFault({ status, answerHeaders, answerText })).toBe(fault);
});

test.each([
  ['of its own answer', ofResponse, false],
  ['of the request', ofRequest, true],
])('Prism with more violations %s than a header can hold', (_, violation, isFault) => {
  const cut = `Too many violations! ${JSON.stringify([violation, ofResponse]).slice(0, -9)}`;
  const fault = prismFault({ status: 500, answerHeaders: { 'sl-violations': cut }, answerText: '' });
  expect(fault).toBe(isFault ? cut : undefined);
});
