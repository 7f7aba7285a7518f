import { expect, test } from 'vitest';
import { CLIENT_PROFILES, DIRECTORIES } from '../../src/model/client-profiles.ts';

const DAY = 24 * 60 * 60 * 1000;
const OLDEST = 180;

const dated = [...Object.values(CLIENT_PROFILES), ...Object.values(DIRECTORIES)];

test.each(dated)(
  'the rules of $title were compared with their sources in the last 180 days',
  ({ reviewed }) => {
    const age = (Date.now() - Date.parse(reviewed)) / DAY;
    expect(age).toBeLessThanOrEqual(OLDEST);
  },
);

test.each(Object.values(CLIENT_PROFILES))('$title names its sources', ({ sources }) => {
  expect(sources.length).toBeGreaterThan(0);
});
