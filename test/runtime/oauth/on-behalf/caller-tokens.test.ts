import { expect, test } from 'vitest';
import type { AuthInfo } from '../../../../templates/runtime/definition.ts';
import { containsToken, keepTokenOfCaller } from '../../../../templates/runtime/oauth/checked-tokens.ts';
import {
  encodeFormUrlencoded,
  encodeUnreserved,
} from '../../../../templates/runtime/contract/http-syntax.ts';

const TOKEN = 'opaq/ue+tok==';
const percent = [...TOKEN].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');

test.each<[string, string, boolean]>([
  ['as it came', `Bearer ${TOKEN}`, true],
  ['in a path', `/users/${encodeUnreserved(TOKEN)}/x`, true],
  ['in a query', `/?t=${encodeURIComponent(TOKEN)}`, true],
  ['in a query whose reserved characters stay', '/?t=opaq/ue+tok%3D%3d', true],
  ['in a form', `a=b&t=${encodeFormUrlencoded(TOKEN)}`, true],
  ['every character encoded', percent, true],
  ['in JSON', JSON.stringify({ t: TOKEN }), true],
  ['in JSON that escapes slashes', '{"t":"opaq\\/ue+tok=="}', true],
  ['in JSON that escapes by number', '{"t":"opaq\\u002Fue\\u002btok=="}', true],
  ['in a URL in a form', encodeFormUrlencoded(`https://x.test/?t=${encodeURIComponent(TOKEN)}`), true],
  ['encoded text of something else', encodeURIComponent('opaq/ue+tok=!'), false],
  ['a part of it', 'opaq/ue+tok=', false],
  ['what is no encoding', '%zz %1 100%', false],
])('a token %s', (_what, text, want) => {
  const caller: AuthInfo = {
    issuer: 'https://issuer.test',
    subject: 'alice',
    clientId: 'c',
    scopes: [],
    claims: {},
  };
  expect(containsToken(caller, text)).toBe(false);
  keepTokenOfCaller(caller, TOKEN);
  expect(containsToken(caller, text)).toBe(want);
});
