import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import {
  applyChange,
  discard,
  dismissNotices,
  eventually,
  filterBy,
  filterField,
  generated,
  list,
  readAll,
  review,
  show,
  toolNamed,
  undoChange,
  write,
} from './actions.mjs';
import { mcpgen } from './compiler.mjs';

const FILES = ['mcpgen.surface.json', 'mcpgen.overlay.yaml', 'mcpgen.config.json', 'petstore.yaml'];
const column = (page, name) => page.getByRole('main').getByRole('region', { name, exact: true });

/** On petstore. */
export const toolChecks = [
  [
    'the source is shown with its own lines',
    async ({ page, folder }) => {
      await show(page, 'tool', 'getPet');
      const source = page.locator('.source .line');
      await source.first().waitFor();
      const first = Number(await source.first().getAttribute('data-line'));
      const lines = readFileSync(path.join(folder, 'petstore.yaml'), 'utf8').split('\n');
      assert.equal((await source.first().textContent()).trimEnd(), lines[first - 1]);
      assert.ok((await source.allTextContents()).some((line) => line.includes('operationId: getPet')));
    },
  ],
  [
    'the tool is shown as it is listed',
    async ({ page }) => {
      const listed = JSON.parse(await page.locator('.json').textContent());
      assert.equal(listed.name, 'getPet');
      assert.equal(listed.inputSchema.type, 'object');
    },
  ],
  [
    'an older revision lists less',
    async ({ page }) => {
      await page.getByLabel('revision').selectOption('2024-11-05');
      await eventually(
        async () => JSON.parse(await page.locator('.json').textContent()).outputSchema === undefined,
        'outputSchema stays',
      );
      await page.getByLabel('revision').selectOption('');
    },
  ],
  [
    'a client is chosen',
    async ({ page }) => {
      const clients = page.getByRole('combobox', { name: 'for', exact: true });
      await clients.selectOption('gemini');
      await eventually(async () => (await page.locator('.json').count()) === 1, 'nothing is listed');
      assert.equal(await clients.inputValue(), 'gemini');
      await clients.selectOption('');
    },
  ],
  [
    'a word leads to its line in the source',
    async ({ page }) => {
      await show(page, 'tool', 'listPets');
      const chip = column(page, 'Words').locator('button.origin', { hasText: 'line' }).first();
      await chip.click();
      await page.locator('.source .line.is-marked').waitFor();
      assert.ok((await page.locator('.source .line.is-cited').count()) > 0);
    },
  ],
  [
    'a line of the listed tool leads to its word',
    async ({ page }) => {
      await page.locator('.json .line[data-pointer="/description"]').hover();
      await page.locator('.json .line.is-marked').waitFor();
    },
  ],
  [
    'findings of the tool are shown',
    async ({ page }) => {
      await show(page, 'tool', 'getPet');
      await page.locator('.tool-findings summary').click();
      await page.locator('.tool-findings').getByText('MCPG901').first().waitFor();
    },
  ],
  [
    'an edit is discarded',
    async ({ page }) => {
      await show(page, 'tool', 'listPets');
      const field = column(page, 'Words').getByLabel('Title');
      const before = await field.inputValue();
      await write(field, 'Another title');
      await page.getByText('1 edit of this tool').waitFor();
      await discard(page);
      assert.equal(await field.inputValue(), before);
    },
  ],
  [
    'a description is written to the overlay, made by `generate`, and undone',
    async ({ page, folder }) => {
      const before = readAll(folder, FILES);
      const text = 'Pets of the shop, ten at a time. Use it before getPet.';
      await write(column(page, 'Words').getByLabel('Description'), text);
      const dialog = await review(page);
      await dialog.getByText('mcpgen.overlay.yaml').first().waitFor();
      await applyChange(page);
      await eventually(
        async () => JSON.parse(await page.locator('.json').textContent()).description === text,
        'the page does not follow',
      );
      assert.equal(toolNamed(await generated(folder), 'listPets').description, text);
      assert.equal(readAll(folder, ['petstore.yaml'])[0], before.at(-1), 'the document was changed');
      await undoChange(page);
      assert.deepEqual(readAll(folder, FILES), before);
      assert.notEqual(toolNamed(await generated(folder), 'listPets').description, text);
      await dismissNotices(page);
    },
  ],
  [
    'title, hints, a pin and an argument are written in one go, and undone',
    async ({ page, folder }) => {
      const before = readAll(folder, FILES);
      await show(page, 'tool', 'listPets');
      const words = column(page, 'Words');
      await write(words.getByLabel('Title'), 'All pets');
      const idempotent = words.getByRole('switch', { name: 'Idempotent' });
      assert.equal(await idempotent.isChecked(), true);
      await idempotent.click();
      await words.getByRole('switch', { name: 'Pinned' }).click();
      await write(words.getByLabel('limit'), 'At most so many.');
      await page.getByText('4 edits of this tool').waitFor();
      await review(page);
      await applyChange(page);
      const tool = toolNamed(await generated(folder), 'listPets');
      assert.equal(tool.title, 'All pets');
      assert.equal(tool.inputSchema.properties.limit.description, 'At most so many.');
      assert.equal(tool.annotations.idempotentHint, false);
      // A pin shows in what is generated only with the search surface.
      const { stdout } = await mcpgen(['inspect', '.', '--json'], { cwd: folder });
      assert.equal(toolNamed(JSON.parse(stdout), 'listPets').pin, true);
      await undoChange(page);
      assert.deepEqual(readAll(folder, FILES), before);
      await dismissNotices(page);
    },
  ],
  [
    'a second edit keeps the first, and both are undone in turn',
    async ({ page, folder }) => {
      const before = readAll(folder, FILES);
      for (const [label, text] of [
        ['Title', 'First'],
        ['Description', 'Second text, longer than its name.'],
      ]) {
        await write(column(page, 'Words').getByLabel(label), text);
        await review(page);
        await applyChange(page);
        await eventually(
          async () => (await page.locator('.words-foot').count()) === 0,
          'the edit stays open',
        );
      }
      const tool = toolNamed(await generated(folder), 'listPets');
      assert.deepEqual([tool.title, tool.description], ['First', 'Second text, longer than its name.']);
      await undoChange(page);
      await undoChange(page);
      assert.deepEqual(readAll(folder, FILES), before);
      await dismissNotices(page);
    },
  ],
  [
    'a tool is hidden, not generated any more, and back after undo',
    async ({ page, folder }) => {
      const before = readAll(folder, FILES);
      await show(page, 'tool', 'getInventory');
      await column(page, 'Words').locator('.word-switches').getByRole('switch', { name: 'Hidden' }).click();
      await review(page);
      await applyChange(page);
      assert.equal(toolNamed(await generated(folder), 'getInventory'), undefined);
      await undoChange(page);
      assert.deepEqual(readAll(folder, FILES), before);
      assert.ok(toolNamed(await generated(folder), 'getInventory'));
      await dismissNotices(page);
    },
  ],
  [
    'a tool is renamed, and shown by its new name',
    async ({ page, folder }) => {
      const before = readAll(folder, FILES);
      await show(page, 'tool', 'getInventory');
      await write(column(page, 'Words').getByLabel('Name'), 'count_stock');
      await review(page);
      await applyChange(page);
      await page.getByRole('heading', { level: 1, name: 'count_stock' }).waitFor();
      assert.ok(toolNamed(await generated(folder), 'count_stock'));
      await undoChange(page);
      assert.deepEqual(readAll(folder, FILES), before);
      // The lock has the name that clients know now.
      assert.ok(toolNamed(await generated(folder, '--rename'), 'getInventory'));
      await dismissNotices(page);
    },
  ],
  [
    'a file that changed since its diff is not written',
    async ({ page, folder }) => {
      await show(page, 'tool', 'listPets');
      await write(column(page, 'Words').getByLabel('Title'), 'Lost');
      const dialog = await review(page);
      const overlay = path.join(folder, 'mcpgen.overlay.yaml');
      writeFileSync(overlay, '# mine\noverlay: 1.0.0\ninfo: { title: mine, version: 1.0.0 }\nactions: []\n');
      await dialog.getByRole('button', { name: 'Apply' }).click();
      await page.locator('.notice.is-bad').waitFor();
      assert.match(readFileSync(overlay, 'utf8'), /^# mine/);
      rmSync(overlay);
      await dismissNotices(page);
      if ((await page.getByRole('button', { name: 'Discard' }).count()) > 0) await discard(page);
    },
  ],
  [
    'a document that stops compiling is named with its place, and drafts, filter and focus stay',
    async ({ page, folder }) => {
      const file = path.join(folder, 'petstore.yaml');
      const text = readFileSync(file, 'utf8');
      const stopped = page.getByRole('alert').filter({ hasText: 'The source does not compile' });
      await show(page, 'tool', 'listPets');
      const title = column(page, 'Words').getByLabel('Title');
      await write(title, 'A draft');
      try {
        writeFileSync(file, `${text}\nbroken: [`);
        await stopped.getByText(/petstore\.yaml:\d+/).waitFor();
        assert.equal(await title.inputValue(), 'A draft');
        await show(page, 'surface');
        await list(page).getByText('edited').waitFor();
        await filterBy(page, 'orders', '4 of 13');
      } finally {
        writeFileSync(file, text);
      }
      await stopped.waitFor({ state: 'detached' });
      assert.ok(await filterField(page).evaluate((field) => field === document.activeElement));
      await filterBy(page, '', '13 tools');
      await show(page, 'tool', 'listPets');
      assert.equal(await title.inputValue(), 'A draft');
      await discard(page);
    },
  ],
  [
    'the list at its side opens tools',
    async ({ page }) => {
      await list(page).getByText('placeOrder', { exact: true }).click();
      await page.getByRole('main').getByRole('heading', { name: 'placeOrder' }).waitFor();
    },
  ],
];
