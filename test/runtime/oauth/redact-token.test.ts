// The token of a caller in what it sent, as audit logs and errors show it.
import { expect, test } from 'vitest';
import { tokenRedactor } from '../../../templates/runtime/oauth/checked-tokens.ts';
import { encodeFormUrlencoded } from '../../../templates/runtime/contract/http-syntax.ts';

const TOKEN = 'opaq/ue+tok==';
const percent = (text: string): string =>
  [...text].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');

test.each<[string, string, string]>([
  ['nothing of it', '100% of "é" \\u0041', '100% of "é" \\u0041'],
  ['as it came, twice', `a ${TOKEN} b ${TOKEN}`, 'a [redacted] b [redacted]'],
  ['every character encoded', `%20é${percent(TOKEN)}%20`, '%20é[redacted]%20'],
  ['encoded three times', `<${encodeFormUrlencoded(encodeFormUrlencoded(percent(TOKEN)))}>`, '<[redacted]>'],
  ['plain beside encoded', `${TOKEN} ${percent(TOKEN)} %25`, '[redacted] [redacted] %25'],
  ['in JSON that escapes by number', '{"t":"opaq\\u002Fue\\u002btok=="}', '{"t":"[redacted]"}'],
  ['a part of it', 'opaq/ue+tok=', '[redacted]'],
  ['two parts side by side', '{"a":"xopaq/ue+","b":"ue+tok=="}', '{"a":"x[redacted]","b":"[redacted]"}'],
  ['a part that is encoded', percent('opaq/ue+'), '[redacted]'],
  ['a part that begins within another, at its end', 'opaq/ue+paq/ue+t-', '[redacted][redacted]-'],
  ['a part of few characters', 'opaq/ue', 'opaq/ue'],
])('a token is taken out of a text: %s', (_what, text, want) => {
  expect(tokenRedactor(TOKEN)(text)).toBe(want);
});

test('what is too short to be a secret stays', () => {
  expect(tokenRedactor('good')('a good one')).toBe('a good one');
});
