// Rules of other programs name their sources.
import { expect, test } from 'vitest';
import { INSTALL_CLIENTS } from '../../src/install/clients.ts';
import { CLIENT_PROFILES } from '../../src/model/client-profiles.ts';

test.each([CLIENT_PROFILES, INSTALL_CLIENTS].flatMap((table) => Object.values(table)))(
  '$title names its sources',
  ({ sources }) => {
    expect(sources.length).toBeGreaterThan(0);
  },
);
