import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import {
  applyChange,
  dismissNotices,
  eventually,
  generated,
  readConfig,
  readCount,
  show,
  toolNamed,
  undoChange,
} from './actions.mjs';

const changes = (page) => page.getByRole('main', { name: 'Diff' }).locator('.changes li');

async function compare(page, kind, field, text) {
  await page.getByRole('radiogroup', { name: 'Compare with' }).getByText(kind).click();
  if (field !== undefined) await page.getByRole('textbox', { name: field }).fill(text);
  await page.getByRole('button', { name: 'Compare' }).click();
}

/** On petstore, generated and committed; `other.yaml` is another version of it. */
export const diffChecks = {
  'clients see no difference from the lock': async ({ page, folder }) => {
    await generated(folder);
    await show(page, 'diff');
    await compare(page, 'Lock');
    await page.getByText('Clients see no difference').waitFor();
  },
  'an edit of the document is followed, and compared by effect': async ({ page, folder }) => {
    const file = path.join(folder, 'petstore.yaml');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('maximum: 50', 'maximum: 20'));
    try {
      await eventually(async () => (await changes(page).count()) > 0, 'the page does not follow');
      assert.ok((await page.locator('.effect.e-breaking').count()) > 0);
    } finally {
      writeFileSync(file, text);
    }
    await page.getByText('Clients see no difference').waitFor();
  },
  'another document is compared, with tokens before and after': async ({ page }) => {
    await compare(page, 'Document', 'Path of the document', 'other.yaml');
    await changes(page).first().waitFor();
    const [before, after] = (await page.locator('.totals').textContent()).split('→').map(readCount);
    assert.ok(before > 0 && after > before, `${before}, ${after}`);
    const texts = changes(page).locator('.side-by-side').filter({ hasText: 'Only pets in this state.' });
    const [old, now] = await texts.first().locator('> *').all();
    assert.equal(await old.textContent(), 'State.');
    assert.equal(await now.textContent(), 'Only pets in this state.');
    const [left, right] = [await old.boundingBox(), await now.boundingBox()];
    assert.ok(left.y === right.y && left.x < right.x, 'they are not side by side');
  },
  'a document that is not there is said': async ({ page }) => {
    await compare(page, 'Document', 'Path of the document', 'absent.yaml');
    await page.getByRole('main').getByRole('alert').waitFor();
    await compare(page, 'Lock');
  },
};

export const findingsChecks = {
  'findings are grouped by rule, with frames': async ({ page }) => {
    await show(page, 'findings');
    const groups = page.locator('.finding-group');
    await groups.first().waitFor();
    assert.ok((await groups.locator('summary').allTextContents()).some((text) => text.includes('MCPG901')));
    assert.match(await page.locator('.finding .frame').first().textContent(), /\d+ \|/);
  },
  'a finding opens the field that ends it': async ({ page }) => {
    await page.locator('.finding-group', { hasText: 'description' }).first().locator('a').first().click();
    await page.getByRole('main', { name: 'Tool' }).waitFor();
    await eventually(
      () => page.evaluate(() => document.activeElement.matches('.word textarea')),
      'no field has the focus',
    );
    await show(page, 'findings');
  },
  'a fix is shown as a diff, written, made by `generate`, and undone': async ({ page, folder }) => {
    const before = readConfig(folder);
    const old = toolNamed(await generated(folder), 'getPet').description;
    const count = readCount(await page.getByRole('heading', { level: 1 }).textContent());
    await page.getByRole('button', { name: /^Fix all/ }).click();
    await page.getByRole('dialog').locator('.d-added').first().waitFor();
    await applyChange(page);
    await eventually(
      async () => readCount(await page.getByRole('heading', { level: 1 }).textContent()) < count,
      'as many findings',
    );
    const fixed = await generated(folder);
    assert.ok(fixed.tools.some((tool) => tool.name !== 'getPet' || tool.description !== old));
    await undoChange(page);
    assert.equal(readConfig(folder), before);
    await dismissNotices(page);
  },
};
