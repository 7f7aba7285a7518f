// Rules of other programs have the day on which they were compared with their sources. How old that is, `npm run dates` says.
import { expect, test } from 'vitest';
import { INSTALL_CLIENTS } from '../../src/install/clients.ts';
import { PLACES } from '../../src/lint/publish-rules.ts';
import { CLIENT_PROFILES } from '../../src/model/client-profiles.ts';

const dated = [CLIENT_PROFILES, INSTALL_CLIENTS, PLACES].flatMap((table) => Object.values(table));

test.each(dated)('the rules of $title have a date', ({ reviewed }) => {
  expect(reviewed).toMatch(/^20\d\d-\d\d(?:-\d\d)?$/);
  // The day may have begun elsewhere.
  expect(Date.parse(reviewed)).toBeLessThan(Date.now() + 86_400_000);
});

test.each([CLIENT_PROFILES, INSTALL_CLIENTS].flatMap((table) => Object.values(table)))(
  '$title names its sources',
  ({ sources }) => {
    expect(sources.length).toBeGreaterThan(0);
  },
);
