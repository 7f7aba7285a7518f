import { effect } from '@preact/signals';
import { render } from 'preact';

import { openSession } from './api.ts';
import { htm } from './htm.ts';
import { listenToKeys } from './keys.ts';
import { Shell } from './shell.ts';
import { follow, loadSurface, server } from './state.ts';

const page = document.getElementById('page');
if (page === null) throw new Error('The page has no place to show anything.');
// Without a session, what the page asks for first is refused with the reason.
await openSession().catch(() => undefined);
effect(() => {
  // Each server has its own surface.
  void server.value;
  void loadSurface();
});
page.replaceChildren();
render(htm`<${Shell} />`, page);
listenToKeys(page);
void follow();
