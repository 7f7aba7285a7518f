import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { mcpgenOrThrow } from '../run.mjs';
import {
  applyChange,
  discard,
  dismissNotices,
  eventually,
  filterBy,
  filterField,
  generated,
  list,
  readConfig,
  review,
  show,
  toolNamed,
  undoChange,
  write,
} from './actions.mjs';

const column = (page, name) => page.getByRole('main').getByRole('region', { name, exact: true });

/** On petstore. */
export const toolChecks = {
  'the source is shown with its own lines': async ({ page, folder }) => {
    await show(page, 'tool', 'getPet');
    const source = page.locator('.source .line');
    await source.first().waitFor();
    const first = Number(await source.first().getAttribute('data-line'));
    const lines = readFileSync(path.join(folder, 'petstore.yaml'), 'utf8').split('\n');
    assert.equal((await source.first().textContent()).trimEnd(), lines[first - 1]);
    assert.ok((await source.allTextContents()).some((line) => line.includes('operationId: getPet')));
  },
  'the tool is shown as it is listed': async ({ page }) => {
    const listed = JSON.parse(await page.locator('.json').textContent());
    assert.equal(listed.name, 'getPet');
    assert.equal(listed.inputSchema.type, 'object');
  },
  'a word leads to its line in the source': async ({ page }) => {
    await show(page, 'tool', 'listPets');
    const chip = column(page, 'Words').locator('button.origin', { hasText: 'line' }).first();
    await chip.click();
    await page.locator('.source .line.is-marked').waitFor();
    assert.ok((await page.locator('.source .line.is-cited').count()) > 0);
  },
  'a description is written to the configuration, made by `generate`, and undone': async ({
    page,
    folder,
  }) => {
    const before = readConfig(folder);
    const text = 'Pets of the shop, ten at a time. Use it before getPet.';
    await write(column(page, 'Words').getByLabel('Description'), text);
    const dialog = await review(page);
    assert.deepEqual(await dialog.locator('.file-diff h3').allTextContents(), ['mcpgen.config.json']);
    await applyChange(page);
    await eventually(
      async () => JSON.parse(await page.locator('.json').textContent()).description === text,
      'the page does not follow',
    );
    assert.equal(toolNamed(await generated(folder), 'listPets').description, text);
    await undoChange(page);
    assert.equal(readConfig(folder), before);
    assert.notEqual(toolNamed(await generated(folder), 'listPets').description, text);
    await dismissNotices(page);
  },
  'title, hints, a pin and an argument are written in one go, and undone': async ({ page, folder }) => {
    const before = readConfig(folder);
    await show(page, 'tool', 'listPets');
    const words = column(page, 'Words');
    await write(words.getByLabel('Title'), 'All pets');
    const idempotent = words.getByRole('switch', { name: 'Idempotent' });
    assert.equal(await idempotent.isChecked(), true);
    await idempotent.click();
    assert.equal(await words.getByRole('switch', { name: 'Only reads' }).isChecked(), true);
    await words.getByRole('switch', { name: 'Pinned' }).click();
    await write(words.getByLabel('limit'), 'At most so many.');
    await page.getByText('4 edits of listPets').waitFor();
    await review(page);
    await applyChange(page);
    const tool = toolNamed(await generated(folder), 'listPets');
    assert.equal(tool.title, 'All pets');
    assert.equal(tool.inputSchema.properties.limit.description, 'At most so many.');
    assert.equal(tool.annotations.idempotentHint, false);
    // A pin shows in what is generated only with the search surface.
    const { stdout } = await mcpgenOrThrow(['inspect', '.', '--json'], { cwd: folder });
    assert.equal(toolNamed(JSON.parse(stdout), 'listPets').pin, true);
    await undoChange(page);
    assert.equal(readConfig(folder), before);
    await dismissNotices(page);
  },
  'descriptions of a tag are edited together, and written in one go': async ({ page, folder }) => {
    const before = readConfig(folder);
    await show(page, 'surface');
    await list(page).getByRole('link', { name: 'orders', exact: true }).click();
    const words = column(page, 'Words');
    await write(words.getByLabel('getOrder'), 'One order with its lines.');
    await write(words.getByLabel('listOrders'), 'Orders of the shop, the newest first.');
    await page.getByText('2 edits of 2 tools').waitFor();
    await review(page);
    await applyChange(page);
    const catalog = await generated(folder);
    assert.equal(toolNamed(catalog, 'getOrder').description, 'One order with its lines.');
    assert.equal(toolNamed(catalog, 'listOrders').description, 'Orders of the shop, the newest first.');
    await undoChange(page);
    assert.equal(readConfig(folder), before);
    await dismissNotices(page);
  },
  'words of mcpgen are not said to be of the document': async ({ page }) => {
    await show(page, 'tool', 'getOrder');
    const field = column(page, 'Words')
      .locator('.word')
      .filter({ has: page.getByLabel('Description') });
    assert.match(await field.locator('.origin').textContent(), /mcpgen/);
    await show(page, 'tool', 'listPets');
    await column(page, 'Words')
      .locator('.origin')
      .filter({ hasText: /^document, line \d+$/ })
      .first()
      .waitFor();
  },
  'a tool is renamed, and shown by its new name': async ({ page, folder }) => {
    const before = readConfig(folder);
    await show(page, 'tool', 'getInventory');
    await write(column(page, 'Words').getByLabel('Name'), 'count_stock');
    await review(page);
    await applyChange(page);
    await page.getByRole('heading', { level: 1, name: 'count_stock' }).waitFor();
    assert.ok(toolNamed(await generated(folder), 'count_stock'));
    await undoChange(page);
    assert.equal(readConfig(folder), before);
    // The lock has the name that clients know now.
    assert.ok(toolNamed(await generated(folder, '--rename'), 'getInventory'));
    await dismissNotices(page);
  },
  'a file that changed since its diff is not written': async ({ page, folder }) => {
    await show(page, 'tool', 'listPets');
    await write(column(page, 'Words').getByLabel('Title'), 'Lost');
    const dialog = await review(page);
    const before = readConfig(folder);
    const changed = `// mine\n${before}`;
    const file = path.join(folder, 'mcpgen.config.json');
    writeFileSync(file, changed);
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.locator('.notice.is-bad').waitFor();
    assert.equal(readConfig(folder), changed);
    writeFileSync(file, before);
    await dismissNotices(page);
    if ((await page.getByRole('button', { name: 'Discard' }).count()) > 0) await discard(page);
  },
  'a document that stops compiling is named with its place, and drafts, filter and focus stay': async ({
    page,
    folder,
  }) => {
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
};
