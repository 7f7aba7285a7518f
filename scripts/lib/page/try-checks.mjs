import assert from 'node:assert/strict';

import { dismissNotices, eventually, show } from './actions.mjs';

const form = (page) => page.getByRole('region', { name: 'Call', exact: true });
const answer = (page) => page.getByRole('region', { name: 'Answer', exact: true });
const seen = (page) => answer(page).getByRole('region', { name: 'As the model sees it' });
const json = (page) => form(page).getByLabel('JSON', { exact: false }).last();
const argumentsOf = async (page) => JSON.parse(await json(page).inputValue());

async function call(page) {
  await form(page).getByRole('button', { name: 'Call' }).click();
  await answer(page).locator('.verdict').waitFor();
}

/** On petstore; `upstream` is its API on loopback. */
export const tryChecks = {
  'the form has a field for each argument': async ({ page }) => {
    await show(page, 'try', 'listPets');
    // The first tool loads the runtime.
    await form(page).locator('.field').nth(4).waitFor({ timeout: 20_000 });
    assert.deepEqual(await form(page).locator('.field-name').allTextContents(), [
      'status',
      'species',
      'tags',
      'limit',
      'cursor',
    ]);
  },
  'the JSON follows the form': async ({ page }) => {
    await form(page).getByLabel('species').selectOption('cat');
    await form(page).getByLabel('limit').fill('5');
    await form(page).getByRole('button', { name: 'Add tags' }).click();
    await form(page).getByRole('button', { name: 'Item of tags' }).click();
    await form(page).getByLabel('tags[0]').fill('calm');
    assert.deepEqual(await argumentsOf(page), { species: 'cat', tags: ['calm'], limit: 5 });
  },
  'the form follows the JSON': async ({ page }) => {
    await json(page).fill('{"species":"dog","tags":["small","old"],"limit":7}');
    assert.equal(await form(page).getByLabel('species').inputValue(), '"dog"');
    assert.equal(await form(page).getByLabel('tags[1]').inputValue(), 'old');
    assert.equal(await form(page).getByLabel('limit').inputValue(), '7');
  },
  'integers keep their digits': async ({ page }) => {
    await json(page).fill('{"limit":9007199254740993}');
    assert.equal(await form(page).getByLabel('limit').inputValue(), '9007199254740993');
    await form(page).getByLabel('limit').fill('9007199254740995');
    assert.match(await json(page).inputValue(), /9007199254740995/);
  },
  'a value out of range is said beside its field': async ({ page }) => {
    await form(page).getByLabel('limit').fill('900');
    await form(page).getByText('must be at most 50').waitFor();
  },
  'text that is no JSON cannot be sent': async ({ page }) => {
    await json(page).fill('{"limit":');
    assert.equal(await form(page).getByRole('button', { name: 'Call' }).isDisabled(), true);
    await form(page).getByRole('button', { name: 'Reset' }).click();
    assert.deepEqual(await argumentsOf(page), {});
  },
  'mock answers as the model sees it': async ({ page }) => {
    await call(page);
    assert.equal(await answer(page).locator('.verdict').textContent(), 'Answered');
    assert.ok((await seen(page).textContent()).length > 2);
  },
  'an answer is a tree that folds': async ({ page }) => {
    const list = seen(page).locator('details details').first();
    const lines = () => seen(page).locator('.line:visible').count();
    const open = await lines();
    await list.locator('summary').first().click();
    assert.ok((await lines()) < open);
    await list.locator('summary').first().press('Enter');
    assert.equal(await lines(), open);
  },
  'arguments that the schema refuses fail': async ({ page }) => {
    await json(page).fill('{"limit":"many"}');
    await call(page);
    await eventually(
      async () => (await answer(page).locator('.verdict').textContent()) === 'Failed',
      'it was answered',
    );
  },
  'the API is shown in red with its origin': async ({ page, upstream }) => {
    await page.getByRole('radiogroup', { name: 'Target' }).getByText('API').click();
    const told = page.locator('.target .is-danger');
    assert.match(await told.textContent(), new RegExp(new URL(upstream.url).host));
  },
  'a read reaches the API, and its secrets are not shown': async ({ page, upstream }) => {
    const before = upstream.requests.length;
    await form(page).getByRole('button', { name: 'Reset' }).click();
    await call(page);
    await eventually(() => upstream.requests.length === before + 1, 'no request came');
    await answer(page)
      .getByText(/^HTTP \d/)
      .click();
    const text = await answer(page).locator('.exchange').first().textContent();
    assert.match(text, /GET http.*\/pets/);
    assert.match(text, /HTTP 200/);
    assert.doesNotMatch(text, /secret-of-the-test/);
  },
  'the call is copied as curl': async ({ page }) => {
    await answer(page).getByRole('button', { name: 'Copy as curl' }).click();
    await page.locator('.notice', { hasText: 'copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /^curl /);
    assert.doesNotMatch(copied, /secret-of-the-test/);
    await dismissNotices(page);
  },
  'a call that may change something asks first, and Cancel sends nothing': async ({ page, upstream }) => {
    await show(page, 'try', 'deletePet');
    const before = upstream.requests.length;
    await form(page).getByLabel('petId').fill('1');
    await form(page).getByRole('button', { name: 'Call' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('deletePet').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(upstream.requests.length, before);
  },
  'a call that was agreed to is sent': async ({ page, upstream }) => {
    const before = upstream.requests.length;
    await form(page).getByRole('button', { name: 'Call' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Call the API' }).click();
    await eventually(() => upstream.requests.length > before, 'no request came');
    assert.equal(upstream.requests.at(-1).method, 'DELETE');
    await page.getByRole('radiogroup', { name: 'Target' }).getByText('Mock').click();
  },
  'an argument is completed': async ({ page }) => {
    await chooseKind(page, 'Completion');
    await form(page).getByRole('combobox', { name: 'argument' }).selectOption('tone');
    await form(page).getByLabel('typed so far').fill('w');
    await call(page);
    // The tab of the call before stays.
    await answer(page).getByText('As the model sees it').click();
    await seen(page).getByText('warm').first().waitFor();
    await chooseKind(page, 'Tools');
  },
};

async function chooseKind(page, name) {
  await page.getByRole('radiogroup', { name: 'Call' }).getByText(name).click();
}
