import assert from 'node:assert/strict';

import { filterBy, list, readCount, show } from './actions.mjs';

const FIRST_PAINT = 1000;
const FILTERING = 50;

/** On GitHub's document: 1,223 tools. */
export const largeChecks = {
  'tools are painted within a second': async ({ page, note }) => {
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (document.querySelector('.rows .row[id]') === null) return;
        observer.disconnect();
        requestAnimationFrame(() => (globalThis.firstRows = performance.now()));
      }).observe(document, { childList: true, subtree: true });
    });
    // The server has compiled, and other programs may disturb a run.
    await list(page).locator('.row').nth(1).waitFor({ timeout: 60_000 });
    const times = [];
    for (let run = 0; run < 3; run += 1) {
      await page.reload();
      await page.waitForFunction(() => globalThis.firstRows !== undefined);
      times.push(await page.evaluate(() => globalThis.firstRows));
    }
    const ms = Math.min(...times);
    note(`first paint of the tools: ${Math.round(ms)} ms`);
    assert.ok(ms < FIRST_PAINT, `${Math.round(ms)} ms`);
  },
  'all tools are counted, few are elements': async ({ page }) => {
    await show(page, 'surface');
    const foot = await page.locator('.list-foot').textContent();
    assert.ok(readCount(foot) > 1200, foot);
    assert.ok((await list(page).locator('.row').count()) < 100);
  },
  'filtering takes less than 50 ms': async ({ page, note }) => {
    const times = [];
    for (const text of ['pull', 'repos delete', 'zzz', 'list', 'actions runner', ''])
      times.push(await quickestFilter(page, text));
    const slowest = Math.max(...times);
    note(`filtering 1,223 tools: at most ${slowest.toFixed(1)} ms`);
    assert.ok(slowest < FILTERING, times.map((ms) => ms.toFixed(1)).join(', '));
  },
  'the map has every tool, and follows the filter': async ({ page }) => {
    const tiles = page.locator('.map-tool');
    await tiles.nth(1200).waitFor({ state: 'attached' });
    await filterBy(page, 'gists', 'of 1,223 tools');
    await page.waitForFunction(() => document.querySelectorAll('.map-tool').length < 100);
    await filterBy(page, '', '1,223 tools');
  },
};

/** The quickest of three, since other programs may disturb a run. */
async function quickestFilter(page, text) {
  const times = [];
  for (let run = 0; run < 3; run += 1) {
    await page.evaluate(filterInPage, 'teams');
    const { ms, foot } = await page.evaluate(filterInPage, text);
    assert.equal(foot, await page.locator('.list-foot').textContent(), 'the list was not rendered at once');
    times.push(ms);
  }
  return Math.min(...times);
}

/** From the key to the new rows, laid out. */
async function filterInPage(text) {
  const field = document.querySelector('#filter');
  const before = performance.now();
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  // Changes are rendered in a microtask.
  await new Promise((resolve) => queueMicrotask(resolve));
  await Promise.resolve();
  document.querySelector('.rows').getBoundingClientRect();
  const ms = performance.now() - before;
  return { ms, foot: document.querySelector('.list-foot').textContent };
}
