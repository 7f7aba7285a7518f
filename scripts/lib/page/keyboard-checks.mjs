import assert from 'node:assert/strict';

import {
  dismissNotices,
  eventually,
  filterField,
  generated,
  list,
  readConfig,
  rowNames,
  show,
  toolNamed,
  undoChange,
} from './actions.mjs';

const view = (page, name) => page.getByRole('main', { name }).waitFor();
const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};

const hasFocus = (element) => element === document.activeElement;

/** On petstore; no check touches the mouse. */
export const keyboardChecks = {
  '1 to 5 show the views': async ({ page }) => {
    await show(page, 'surface');
    await page.evaluate(() => document.activeElement.blur());
    for (const [key, name] of [
      ['2', 'Tool'],
      ['3', 'Try'],
      ['4', 'Diff'],
      ['5', 'Findings'],
      ['1', 'Surface'],
    ]) {
      await press(page, key);
      await view(page, name);
    }
  },
  '/ filters, the arrows move and Enter opens': async ({ page }) => {
    await press(page, '/');
    await eventually(() => filterField(page).evaluate(hasFocus), 'the filter has no focus');
    await page.keyboard.type('orders');
    await page.locator('.list-foot', { hasText: '4 of 13' }).waitFor();
    const names = await rowNames(page);
    await press(page, 'ArrowDown', 'Home', 'ArrowDown', 'Enter');
    await view(page, 'Tool');
    await page.getByRole('heading', { name: names[1] }).waitFor();
  },
  '? shows the keys and Escape closes them': async ({ page }) => {
    await press(page, '?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await press(page, 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  },
  'Escape leaves the filter for the list, and Space switches a tool': async ({ page }) => {
    await press(page, '1');
    await view(page, 'Surface');
    await press(page, '/', 'Control+A', 'Delete', 'Escape');
    await eventually(() => list(page).evaluate(hasFocus), 'the list has no focus');
    await press(page, 'Space');
    await page.locator('.draft-bar .after-tools', { hasText: '12 tools' }).waitFor();
  },
  'Ctrl+Enter reviews the surface from the list and from other views, which show that it is edited': async ({
    page,
  }) => {
    const files = page.getByRole('dialog').getByText('mcpgen.config.json').first();
    await press(page, 'Control+Enter');
    await files.waitFor();
    await press(page, 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    for (const [key, name] of [
      ['2', 'Tool'],
      ['5', 'Findings'],
    ]) {
      await press(page, key);
      await view(page, name);
      await page.locator('.draft-bar .after-tools', { hasText: '12 tools' }).waitFor();
      await press(page, 'Control+Enter');
      await files.waitFor();
      await press(page, 'Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await press(page, '1');
    await view(page, 'Surface');
    await page.locator('.draft-bar').getByRole('button', { name: 'Discard' }).click();
  },
  'a tool is edited, reviewed, written and undone': async ({ page, folder }) => {
    const before = readConfig(folder);
    await show(page, 'tool', 'getOrder');
    await tabTo(page, 'Title');
    await press(page, 'Control+A');
    await page.keyboard.type('One order');
    await press(page, 'Control+Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, 'Apply');
    await press(page, 'Enter');
    await page.locator('.notice', { hasText: 'Written' }).waitFor();
    assert.equal(toolNamed(await generated(folder), 'getOrder').title, 'One order');
    await undoChange(page);
    assert.equal(readConfig(folder), before);
    await dismissNotices(page);
  },
  'Ctrl+Z takes back what was switched last, then what was written last': async ({ page, folder }) => {
    const before = readConfig(folder);
    await press(page, '1');
    await view(page, 'Surface');
    await list(page).focus();
    await press(page, 'Home', 'Space');
    await page.locator('.draft-bar .after-tools', { hasText: '12 tools' }).waitFor();
    await press(page, 'ArrowDown', 'Space');
    await page.locator('.draft-bar .after-tools', { hasText: '11 tools' }).waitFor();
    await press(page, 'Control+z');
    await page.locator('.draft-bar .after-tools', { hasText: '12 tools' }).waitFor();
    await press(page, 'Control+Enter');
    await page.getByRole('dialog').locator('.diff').waitFor();
    await tabTo(page, 'Apply');
    await press(page, 'Enter');
    await page.locator('.notice', { hasText: 'Written' }).waitFor();
    assert.notEqual(readConfig(folder), before);
    await press(page, 'Control+z');
    await page.locator('.notice', { hasText: 'Undone' }).waitFor();
    assert.equal(readConfig(folder), before);
    await dismissNotices(page);
  },
  'all tools are switched, and the descriptions of a tag opened': async ({ page }) => {
    await list(page).focus();
    await press(page, 'Tab', 'Space');
    await page.locator('.draft-bar .after-tools', { hasText: '0 tools' }).waitFor();
    await press(page, 'Control+z');
    await page.locator('.draft-bar').waitFor({ state: 'detached' });
    await tabTo(page, 'pets');
    await press(page, 'Enter');
    await page.getByRole('heading', { level: 1, name: 'pets' }).waitFor();
    await page.getByLabel('listPets').waitFor();
    await show(page, 'surface');
  },
  'the focus stays where a control is gone or disabled': async ({ page }) => {
    const isKept = () => page.evaluate(() => document.activeElement !== document.body);
    await list(page).focus();
    await press(page, 'Space');
    await page.locator('.draft-bar .after-tools').waitFor();
    await tabTo(page, 'Discard');
    await press(page, 'Enter');
    await page.locator('.draft-bar').waitFor({ state: 'detached' });
    await eventually(isKept, 'after Discard');
    await show(page, 'try', 'listPets');
    const form = page.getByRole('region', { name: 'Call', exact: true });
    await form.getByRole('button', { name: 'Add tags' }).focus();
    await press(page, 'Enter');
    await eventually(isKept, 'after Add');
    await form.getByRole('button', { name: 'Call', exact: true }).focus();
    await press(page, 'Enter');
    await page.locator('.verdict').waitFor();
    await eventually(isKept, 'after Call');
    await show(page, 'tool', 'getOrder');
  },
  'the first Tab skips to the content': async ({ page }) => {
    await page.reload();
    await view(page, 'Tool');
    await press(page, 'Tab');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the content');
    await press(page, 'Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
  },
};

/** Presses Tab until the control of that name has the focus. */
async function tabTo(page, name) {
  for (let pressed = 0; pressed < 120; pressed += 1) {
    await page.keyboard.press('Tab');
    const label = await page.evaluate(() => {
      const element = document.activeElement;
      return (element.labels?.[0] ?? element).textContent.trim();
    });
    if (label.startsWith(name)) return;
  }
  assert.fail(`Tab does not reach ${name}.`);
}
