/** Other sources: annotated functions, a large schema for the form, hostile documents, a page that may not write. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';

import {
  afterDraft,
  applyChange,
  dismissNotices,
  eventually,
  list,
  review,
  show,
  undoChange,
} from './actions.mjs';

import { assertOneColumn } from './phone-checks.mjs';

const form = (page) => page.getByRole('region', { name: 'Call', exact: true });
const answer = (page) => page.getByRole('region', { name: 'Answer', exact: true });
const argumentsOf = async (page) => JSON.parse(await form(page).getByLabel('JSON').last().inputValue());
const verdict = (page) => answer(page).locator('.verdict');

/** On the shop: most of what a schema can say. */
export const shopChecks = {
  'nested objects, maps and lists are filled in': async ({ page, tools }) => {
    const tool = tools.find(({ inputSchema }) => hasMap(inputSchema));
    await show(page, 'try', tool.name);
    await form(page).locator('.field').first().waitFor();
    await openAll(page);
    const map = form(page).getByLabel('Name of a further member').first();
    await map.fill('colour');
    await form(page).getByRole('button', { name: 'Member', exact: true }).first().click();
    await eventually(
      async () => JSON.stringify(await argumentsOf(page)).includes('"colour"'),
      'the member is not in the JSON',
    );
  },
  'every tool has a form, and its first values are JSON': async ({ page, tools }) => {
    for (const { name } of tools) {
      await show(page, 'try', name);
      await form(page).locator('.raw-json').waitFor();
      assert.equal(typeof (await argumentsOf(page)), 'object', name);
    }
  },
  'a nested form keeps 300 px on a phone': async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await assertOneColumn(page);
    await page.setViewportSize({ width: 1440, height: 900 });
  },
  'one of several shapes is chosen': async ({ page, tools }) => {
    const tool = tools.find(({ inputSchema }) =>
      /"(?:oneOf|anyOf)"/.test(JSON.stringify(inputSchema.properties ?? {})),
    );
    await show(page, 'try', tool.name);
    await form(page).locator('.field').first().waitFor();
    await openAll(page);
    const kinds = form(page)
      .getByLabel(/^Kind of/)
      .first();
    const labels = await kinds.locator('option').allTextContents();
    assert.ok(labels.length > 1, labels.join());
    await kinds.selectOption('1');
    assert.equal(typeof (await argumentsOf(page)), 'object');
  },
  'bytes come from a file, as Base64': async ({ page, tools }) => {
    const tool = tools.find(({ inputSchema }) => JSON.stringify(inputSchema).includes('Bytes as base64'));
    await show(page, 'try', tool.name);
    await form(page).locator('.field').first().waitFor();
    await openAll(page);
    const file = form(page).locator('input[type=file]').first();
    await file.setInputFiles({
      name: 'a.bin',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from([0, 255, 1]),
    });
    await eventually(
      async () => JSON.stringify(await argumentsOf(page)).includes('AP8B'),
      'the bytes are not in the JSON',
    );
  },
  'the search surface is tried': async ({ page }) => {
    await show(page, 'surface');
    await page.getByRole('region', { name: 'Settings' }).getByText('Search', { exact: true }).click();
    await afterDraft(page);
    await review(page);
    await applyChange(page);
    await show(page, 'try');
    await page.getByRole('navigation', { name: 'Search surface' }).getByText('search_tools').click();
    await form(page).getByLabel('query').fill('refund a payment');
    await form(page).getByRole('button', { name: 'Call' }).click();
    await verdict(page).waitFor();
    assert.match(await answer(page).getByRole('region').textContent(), /refund/i);
    await undoChange(page);
    await dismissNotices(page);
  },
};

function hasMap(schema) {
  return /"additionalProperties":\{/.test(JSON.stringify(schema.properties ?? {}));
}

/** Adds every absent member that is nested, a few levels deep. */
async function openAll(page) {
  for (let level = 0; level < 3; level += 1)
    for (const button of (await form(page).getByRole('button', { name: /^Add / }).all()).slice(0, 8)) {
      if (await button.isVisible().catch(() => false))
        await button.click({ timeout: 1000 }).catch(() => undefined);
    }
}

/** On a server of annotated functions, with a project. */
export const functionChecks = {
  'the source of a function is TypeScript': async ({ page }) => {
    await show(page, 'tool', 'get_forecast');
    await eventually(
      async () => /forecast/.test(await page.locator('.source').textContent()),
      'there is no source',
    );
  },
  'a function is called': async ({ page }) => {
    await show(page, 'try', 'to_celsius');
    await form(page).getByLabel('fahrenheit').fill('50');
    await form(page).getByRole('button', { name: 'Call' }).click();
    await verdict(page).waitFor();
    assert.equal(await verdict(page).textContent(), 'Answered');
  },
};

/** On a document whose texts are markup and scripts. */
export const hostileChecks = {
  'markup in names and descriptions is text': async ({ page }) => {
    await show(page, 'surface');
    await list(page).locator('.row').nth(1).waitFor();
    assert.equal(await intruders(page), 0);
    assert.match(await list(page).locator('.group').first().textContent(), /<img src=x onerror=/);
  },
  'markup in the source is text, also where it is listed': async ({ page }) => {
    await show(page, 'tool', 'listThings');
    await page.locator('.source .line').first().waitFor();
    assert.match(await page.locator('.source').textContent(), /<script>wasRun=1<\/script>/);
    assert.equal(await intruders(page), 0);
  },
  'markup in the form and the answer is text': async ({ page }) => {
    await show(page, 'try', 'listThings');
    await form(page).locator('.field').first().waitFor();
    await form(page).getByRole('button', { name: 'Call' }).click();
    await verdict(page).waitFor();
    assert.equal(await intruders(page), 0);
  },
  'markup in findings is text': async ({ page }) => {
    await show(page, 'findings');
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const group of await page.locator('.finding-group:not([open]) > summary').all()) await group.click();
    assert.equal(await intruders(page), 0);
    assert.equal(await page.evaluate(() => globalThis.wasRun), undefined);
  },
  'an address that names no tool is said': async ({ page }) => {
    await page.evaluate(() => (location.hash = '#/tool/%3Cimg%20src%3Dx%20onerror%3DwasRun%3D1%3E'));
    await page.getByRole('main').getByRole('alert').waitFor();
    assert.equal(await intruders(page), 0);
    await show(page, 'surface');
  },
};

/** Elements that the page itself never makes. */
function intruders(page) {
  return page.evaluate(
    () =>
      document.querySelectorAll('#page :is(img, script, iframe, b, object, embed, link, base, meta)').length,
  );
}

/** A document without a project. */
export const looseChecks = {
  'without a project, Diff says what it compares with, and shows no error': async ({ page }) => {
    await show(page, 'diff');
    await page.getByText('no generated project to compare with').waitFor();
    assert.equal(await page.getByRole('main').getByRole('alert').count(), 0);
    assert.doesNotMatch(await page.getByRole('main').textContent(), /`/);
  },
  'edits are refused, and the page says how to make a project': async ({ page, folder }) => {
    await show(page, 'surface');
    await page
      .getByRole('region', { name: 'Settings' })
      .getByRole('switch', { name: 'store', exact: true })
      .click();
    const problem = page.locator('.draft-bar .f-error', { hasText: 'mcpgen init' });
    assert.doesNotMatch(await problem.textContent(), /`/);
    await page.getByRole('button', { name: 'Review …' }).click();
    await page.locator('.notice.is-bad', { hasText: 'mcpgen init' }).waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.deepEqual(readdirSync(folder), ['petstore.yaml']);
  },
};
