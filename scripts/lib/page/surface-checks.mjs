import assert from 'node:assert/strict';

import {
  afterDraft,
  applyChange,
  discard,
  dismissNotices,
  filterBy,
  generated,
  list,
  readConfig,
  readCount,
  review,
  rowNames,
  show,
  undoChange,
} from './actions.mjs';

/** On petstore: 13 tools under three tags. */
export const surfaceChecks = {
  'the address gives up its token': async ({ page }) => assert.doesNotMatch(page.url(), /token/),
  'tools are listed by tag': async ({ page }) => {
    await show(page, 'surface');
    await list(page).locator('.group').nth(2).waitFor();
    assert.deepEqual(await list(page).locator('.group .cell-name').allTextContents(), [
      'pets',
      'orders',
      'store',
    ]);
    assert.equal((await rowNames(page)).length, 13);
  },
  'the budget shows the tokens and whether clients are fit': async ({ page }) => {
    const budget = page.getByRole('region', { name: 'Budget' });
    assert.ok(readCount(await budget.locator('.figures strong').first().textContent()) > 1000);
    const clients = await budget
      .getByRole('list', { name: 'Clients' })
      .getByRole('listitem')
      .allTextContents();
    assert.ok(clients.length >= 5 && clients.some((text) => text.includes('Cursor')), clients.join());
  },
  'the filter searches names, paths and methods': async ({ page }) => {
    await filterBy(page, 'delete pet', '1 of 13 tools');
    assert.deepEqual(await rowNames(page), ['deletePet']);
    await filterBy(page, '/orders', '4 of 13 tools');
    await filterBy(page, '', '13 tools');
  },
  'tools are sorted by tokens, score and name': async ({ page }) => {
    const sort = page.getByLabel('Sort by');
    await sort.selectOption('tokens');
    const tokens = (await list(page).locator('.row:not(.head) .cell-tokens').allTextContents()).map(
      readCount,
    );
    assert.deepEqual(
      tokens,
      tokens.toSorted((a, b) => b - a),
    );
    await sort.selectOption('score');
    const scores = (await list(page).locator('.row .score').allTextContents()).map(Number);
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => a - b),
    );
    await sort.selectOption('name');
    assert.equal((await rowNames(page))[0], 'cancel_order');
    await sort.selectOption('tag');
  },
  'the map has each tool and the parts of large ones': async ({ page }) => {
    const map = page.getByRole('region', { name: 'Map of tokens' });
    await map.locator('.map-tool').nth(12).waitFor();
    assert.equal(await map.locator('.map-tool').count(), 13);
    assert.ok((await map.locator('.map-part').count()) > 20);
  },
  'a tag that is switched off takes its tools and tokens away, before anything is written': async ({
    page,
    folder,
  }) => {
    const before = readConfig(folder);
    await switchNamed(page, 'orders').click();
    const after = await afterDraft(page);
    assert.equal(after.tools, 9);
    assert.equal(readConfig(folder), before);
    await discard(page);
  },
  'columns have heads': async ({ page }) => {
    assert.deepEqual(await list(page).getByRole('columnheader').allTextContents(), [
      '',
      'method',
      'tool',
      'findings',
      'score',
      'tokens',
    ]);
  },
  'the parts of a tool are named on the map, by mouse and by keyboard': async ({ page }) => {
    const map = page.getByRole('listbox', { name: /^Tokens of/ });
    const pointed = page.locator('.legend .pointed');
    await map.locator('.map-part').first().hover();
    assert.match(await pointed.textContent(), /^\w+ (name|description|input|output|annotations) \d+$/);
    await page.getByLabel('Sort by').hover();
    await map.focus();
    const seen = new Set();
    for (let step = 0; step < 20; step += 1) {
      await page.keyboard.press('ArrowRight');
      const id = await map.getAttribute('aria-activedescendant');
      const name = await page.evaluate((of) => document.getElementById(of).textContent, id);
      assert.match(name, /: [\d,]+ tokens?/);
      seen.add(await pointed.textContent());
    }
    assert.equal(seen.size, 20);
  },
  'all tools that the filter leaves are switched off at once': async ({ page }) => {
    await filterBy(page, 'orders', '4 of 13 tools');
    await list(page).getByLabel('Serve the 4 tools shown').click();
    assert.equal((await afterDraft(page)).tools, 9);
    await discard(page);
    await filterBy(page, '', '13 tools');
  },
  'one tool is switched off in the list': async ({ page }) => {
    await list(page).getByLabel('Serve deletePet').click();
    assert.equal((await afterDraft(page)).tools, 12);
    assert.equal(await list(page).locator('.row.is-off').count(), 1);
    await discard(page);
  },
  'a selection is written, `generate` makes the same surface, and undo restores the bytes': async ({
    page,
    folder,
  }) => {
    const before = readConfig(folder);
    await switchNamed(page, 'orders').click();
    await review(page);
    await applyChange(page);
    await page.locator('.list-foot', { hasText: /^9 tools/ }).waitFor();
    assert.equal((await generated(folder)).tools.length, 9);
    assert.equal(await switchNamed(page, 'orders').isChecked(), false);
    // The server remembers what can be undone.
    await page.reload();
    await undoChange(page);
    await page.locator('.list-foot', { hasText: /^13 tools/ }).waitFor();
    assert.equal(readConfig(folder), before);
    assert.equal((await generated(folder)).tools.length, 13);
    await dismissNotices(page);
  },
};

function switchNamed(page, name) {
  return page.getByRole('region', { name: 'Settings' }).getByRole('switch', { name, exact: true });
}
