/** Arguments that would reach another resource of the API: refused, or one encoded segment of the path. */
import { callOf, outcomeOf } from '../session.mjs';

export const family = 'paths';

/** Text → what the path holds instead; absent: refused. Node's client refuses blanks, controls and wider characters besides. */
const encoded = new Map([
  ['a/../../admin', 'a%2F..%2F..%2Fadmin'],
  ['../admin', '..%2Fadmin'],
  ['..\\admin', '..%5Cadmin'],
  ['/etc/passwd', '%2Fetc%2Fpasswd'],
  ['//evil.example', '%2F%2Fevil.example'],
  ['%2e%2e%2fadmin', '%252e%252e%252fadmin'],
  ['..%2fadmin', '..%252fadmin'],
  ['..%00', '..%2500'],
  ['x?admin=1', 'x%3Fadmin%3D1'],
  ['x#admin', 'x%23admin'],
  ['http://evil.example/', 'http%3A%2F%2Fevil.example%2F'],
  ['@evil.example', '%40evil.example'],
  [':80@evil.example', '%3A80%40evil.example'],
]);
const refused = [
  '.',
  '..',
  '%2e',
  '%2e%2e',
  '%2E.',
  '.%2e',
  '',
  '..;',
  '..;x=1',
  '..;/admin',
  '%2e%2e;',
  '.;',
];

/** Steps up of servers that take `;` and what follows out of a segment, where reserved characters stay as they are. */
const parameters = [
  '..;/admin',
  '..;x/admin',
  '..;x=1;y=2/admin',
  'a/..;/..;/admin',
  '%2e%2e;/admin',
  '%2E%2e;x/admin',
  '.%2e;/admin',
  '.;/..;/admin',
  '..%3b/admin',
  '%252e%252e%253bx/admin',
  'a/..;',
];

/** Styles that put a sign of their own before the value, so that dots are no step up. */
const prefixed = { label: ['label', '/v1/label/.', '/end'], matrix: ['matrix', '/v1/matrix/;id=', '/end'] };

export const rows = [
  ...[...encoded].map(([id, want]) => sent('simple', { id }, `/v1/files/${want}`)),
  ...refused.map((id) => notSent('simple', { id })),
  ...parameters.map((id) => notSent('whole', { id })),
  ...Object.values(prefixed).flatMap(([tool, before, after]) =>
    [...encoded].slice(0, 6).map(([id, want]) => sent(tool, { id }, `${before}${want}${after}`)),
  ),
  sent('list', { ids: ['../admin', 'a/b'] }, '/v1/list/..%2Fadmin,a%2Fb'),
  notSent('list', { ids: ['..'] }),
  notSent('list', { ids: [] }),
  sent('exploded', { set: { '../x': '/y' } }, '/v1/exploded/..%2Fx=%2Fy'),
  notSent('exploded', { set: {} }),
  sent('twoInOne', { id: '.', ending: '/admin' }, '/v1/files/..%2Fadmin'),
  notSent('twoInOne', { id: '', ending: 'x' }),
  notSent('twoInOne', { id: '', ending: '' }),
];

function nameOf(tool, args) {
  return `${tool} ${JSON.stringify(args)}`;
}

function sent(tool, args, want) {
  return {
    name: nameOf(tool, args),
    want: `GET ${want} HTTP/1.1`,
    reaches: { upstream: 1 },
    attack: async (target) => {
      const answer = await target.session().send(callOf(tool, args));
      return outcomeOf(answer) === '200'
        ? target.upstream.requests.at(-1).split('\r\n')[0]
        : outcomeOf(answer);
    },
  };
}

function notSent(tool, args) {
  return {
    name: nameOf(tool, args),
    want: 'tool error',
    attack: async (target) => outcomeOf(await target.session().send(callOf(tool, args))),
  };
}
