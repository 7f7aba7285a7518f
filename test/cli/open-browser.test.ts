import { expect, test } from 'vitest';
import { browserCommand } from '../../src/cli/open-browser.ts';

const address = 'http://127.0.0.1:8080/?token=x';

test.each([
  ['darwin', {}, ['open', address]],
  ['win32', {}, ['cmd', '/c', 'start', '""', address]],
  ['linux', { DISPLAY: ':0' }, ['xdg-open', address]],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open', address]],
  ['linux', { DISPLAY: '' }, undefined],
  ['linux', {}, undefined],
] as const)('the browser of %s with %j', (platform, env, command) => {
  expect(browserCommand(address, env, platform)).toEqual(command);
});
