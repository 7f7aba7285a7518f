import { effect } from '@preact/signals';
import { render } from 'preact';

import { htm } from './htm.ts';
import { listenToKeys } from './keys.ts';
import { Shell } from './shell.ts';
import { follow, loadSurface, server } from './state.ts';

const page = document.getElementById('page');
if (page === null) throw new Error('The page has no place to show anything.');
effect(() => {
  // Each server has its own surface.
  void server.value;
  void loadSurface();
});
page.replaceChildren();
render(htm`<${Shell} />`, page);
listenToKeys();
follow();
