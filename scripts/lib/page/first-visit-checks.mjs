import assert from 'node:assert/strict';

import { show } from './actions.mjs';

/** On petstore, opened for the first time. */
export const firstVisitChecks = {
  'a first visit says in a sentence what each view shows, until it is closed': async ({ page }) => {
    const intro = page.locator('.intro');
    const sentences = new Set();
    for (const view of ['surface', 'try', 'diff', 'findings', 'tool']) {
      await show(page, view);
      sentences.add(await intro.textContent());
    }
    assert.equal(sentences.size, 5);
    await intro.getByRole('button', { name: 'Got it' }).click();
    await intro.waitFor({ state: 'detached' });
    await page.reload();
    await show(page, 'surface');
    assert.equal(await intro.count(), 0);
  },
};
