import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';

import {
  afterDraft,
  applyChange,
  discard,
  dismissNotices,
  draftBar,
  filterBy,
  generated,
  list,
  readAll,
  readCount,
  review,
  rowNames,
  show,
  undoChange,
} from './actions.mjs';

const FILES = ['mcpgen.surface.json', 'mcpgen.overlay.yaml', 'mcpgen.config.json', 'petstore.yaml'];

/** On petstore: 13 tools under three tags. */
export const surfaceChecks = [
  ['the address gives up its token', async ({ page }) => assert.doesNotMatch(page.url(), /token/)],
  [
    'tools are listed by tag',
    async ({ page }) => {
      await show(page, 'surface');
      await list(page).locator('.group').nth(2).waitFor();
      assert.deepEqual(await list(page).locator('.group .cell-name').allTextContents(), [
        'pets',
        'orders',
        'store',
      ]);
      assert.equal((await rowNames(page)).length, 13);
    },
  ],
  [
    'the budget shows the tokens and whether clients are fit',
    async ({ page }) => {
      const budget = page.getByRole('region', { name: 'Budget' });
      assert.ok(readCount(await budget.locator('.figures strong').first().textContent()) > 1000);
      const clients = await budget
        .getByRole('list', { name: 'Clients' })
        .getByRole('listitem')
        .allTextContents();
      assert.ok(clients.length >= 5 && clients.some((text) => text.includes('Cursor')), clients.join());
    },
  ],
  [
    'the filter searches names, paths and methods',
    async ({ page }) => {
      await filterBy(page, 'delete pet', '1 of 13 tools');
      assert.deepEqual(await rowNames(page), ['deletePet']);
      await filterBy(page, '/orders', '4 of 13 tools');
    },
  ],
  [
    'a filter without matches says so',
    async ({ page }) => {
      await filterBy(page, 'zebra', '0 of 13 tools');
      await page.getByText('No tool has these words.').waitFor();
      await filterBy(page, '', '13 tools');
    },
  ],
  [
    'tools are sorted by tokens, score and name',
    async ({ page }) => {
      const sort = page.getByLabel('Sort by');
      await sort.selectOption('tokens');
      const tokens = (await list(page).locator('.row .cell-tokens').allTextContents()).map(readCount);
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
  ],
  [
    'the map has each tool and the parts of large ones',
    async ({ page }) => {
      const map = page.getByRole('region', { name: 'Map of tokens' });
      await map.locator('.map-tool').nth(12).waitFor();
      assert.equal(await map.locator('.map-tool').count(), 13);
      assert.ok((await map.locator('.map-part').count()) > 20);
    },
  ],
  [
    'the map is coloured by method or by score',
    async ({ page }) => {
      const map = page.getByRole('region', { name: 'Map of tokens' });
      const fill = () =>
        map
          .locator('[data-tool=getPet] .map-tool')
          .first()
          .evaluate((rect) => getComputedStyle(rect).fill);
      const byMethod = await fill();
      await map.getByText('Lint score').click();
      assert.notEqual(await fill(), byMethod);
      await map.getByText('Method', { exact: true }).click();
    },
  ],
  [
    'a tool of the map opens',
    async ({ page }) => {
      await page.locator('[data-tool=createPet]').last().click();
      await page.getByRole('main', { name: 'Tool' }).getByRole('heading', { name: 'createPet' }).waitFor();
      await show(page, 'surface');
    },
  ],
  [
    'a tag that is switched off takes its tools and tokens away, before anything is written',
    async ({ page, folder }) => {
      await switchNamed(page, 'orders').click();
      const after = await afterDraft(page);
      assert.equal(after.tools, 9);
      assert.equal(existsSync(path.join(folder, 'mcpgen.surface.json')), false);
      await discard(page);
    },
  ],
  [
    'a method that is switched off takes its tools away',
    async ({ page }) => {
      await switchNamed(page, 'GET').click();
      assert.equal((await afterDraft(page)).tools, 7);
      await discard(page);
    },
  ],
  [
    'one tool is switched off in the list',
    async ({ page }) => {
      await list(page).getByLabel('Serve deletePet').click();
      assert.equal((await afterDraft(page)).tools, 12);
      assert.equal(await list(page).locator('.row.is-off').count(), 1);
      await discard(page);
    },
  ],
  [
    'the search surface shows what it saves',
    async ({ page }) => {
      await page.getByRole('region', { name: 'Settings' }).getByText('Search', { exact: true }).click();
      const { tokens } = await afterDraft(page);
      assert.ok(tokens > 0 && tokens < 3000, String(tokens));
      await discard(page);
    },
  ],
  [
    'a selector is typed, and a wrong one is not taken',
    async ({ page }) => {
      const field = page.getByLabel('Include only: add a selector');
      await field.fill('nonsense');
      await field.press('Enter');
      assert.equal(await field.getAttribute('aria-invalid'), 'true');
      assert.equal(await draftBar(page).count(), 0);
      await field.fill('path:/store/**');
      await field.press('Enter');
      assert.equal((await afterDraft(page)).tools, 1);
      await discard(page);
    },
  ],
  [
    'Cancel writes nothing',
    async ({ page, folder }) => {
      const before = readAll(folder, FILES);
      await switchNamed(page, 'orders').click();
      const dialog = await review(page);
      await dialog.getByText('mcpgen.surface.json').first().waitFor();
      assert.ok((await dialog.locator('.d-added').count()) > 0);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      assert.deepEqual(readAll(folder, FILES), before);
      await discard(page);
    },
  ],
  [
    'a selection is written, `generate` makes the same surface, and undo restores the bytes',
    async ({ page, folder }) => {
      const before = readAll(folder, FILES);
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
      assert.deepEqual(readAll(folder, FILES), before);
      assert.equal((await generated(folder)).tools.length, 13);
      await dismissNotices(page);
    },
  ],
  [
    'a feature is switched, written and undone',
    async ({ page, folder }) => {
      const before = readAll(folder, FILES);
      await generated(folder);
      const old = featuresOf(folder);
      const features = page.getByRole('group', { name: 'Features' });
      const free = features.getByRole('switch', { disabled: false }).first();
      await free.click();
      const dialog = await review(page);
      await dialog.getByText('features').first().waitFor();
      await applyChange(page);
      await generated(folder);
      assert.notEqual(featuresOf(folder), old);
      await undoChange(page);
      await generated(folder);
      assert.equal(featuresOf(folder), old);
      assert.deepEqual(readAll(folder, FILES), before);
      await dismissNotices(page);
    },
  ],
];

function featuresOf(folder) {
  return readAll(folder, ['mcp-server/src/generated/features.json'])[0];
}

function switchNamed(page, name) {
  return page.getByRole('region', { name: 'Settings' }).getByRole('switch', { name, exact: true });
}
