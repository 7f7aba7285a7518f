/** Other sources: annotated functions, a large schema for the form, hostile documents, a page that may not write. */
import assert from 'node:assert/strict';

import {
  afterDraft,
  applyChange,
  discard,
  dismissNotices,
  eventually,
  generated,
  list,
  readAll,
  review,
  rowNames,
  show,
  toolNamed,
  undoChange,
  words,
  write,
} from './actions.mjs';
import { mcpgen } from './compiler.mjs';

const form = (page) => page.getByRole('region', { name: 'Call', exact: true });
const answer = (page) => page.getByRole('region', { name: 'Answer', exact: true });
const argumentsOf = async (page) => JSON.parse(await form(page).getByLabel('JSON').last().inputValue());
const verdict = (page) => answer(page).locator('.verdict');

/** On the shop: most of what a schema can say. */
export const shopChecks = [
  [
    'all tools of the shop are listed and painted',
    async ({ page }) => {
      await show(page, 'surface');
      await page.locator('.map-tool').nth(40).waitFor({ state: 'attached' });
    },
  ],
  [
    'nested objects, maps and lists are filled in',
    async ({ page, tools }) => {
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
  ],
  [
    'every tool has a form, and its first values are JSON',
    async ({ page, tools }) => {
      for (const { name } of tools) {
        await show(page, 'try', name);
        await form(page).locator('.raw-json').waitFor();
        assert.equal(typeof (await argumentsOf(page)), 'object', name);
      }
    },
  ],
  [
    'one of several shapes is chosen',
    async ({ page, tools }) => {
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
  ],
  [
    'bytes come from a file, as Base64',
    async ({ page, tools }) => {
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
  ],
  [
    'the search surface is tried',
    async ({ page }) => {
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
      assert.match(await answer(page).locator('.seen').textContent(), /refund/i);
      await undoChange(page);
      await dismissNotices(page);
    },
  ],
];

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
export const functionChecks = [
  [
    'the page says why functions are not selected by tag',
    async ({ page }) => {
      await show(page, 'surface');
      await page.getByText('Functions have no tags or methods').waitFor();
    },
  ],
  [
    'functions are listed with their files',
    async ({ page }) => {
      await show(page, 'surface');
      await list(page).getByText('get_forecast', { exact: true }).waitFor();
      assert.match(await list(page).locator('.cell-origin').first().textContent(), /\.ts/);
    },
  ],
  [
    'the source of a function is TypeScript',
    async ({ page }) => {
      await show(page, 'tool', 'get_forecast');
      await eventually(
        async () => /forecast/.test(await page.locator('.source').textContent()),
        'there is no source',
      );
    },
  ],
  [
    'a description goes to mcpgen.surface.json, is made by `generate`, and undone',
    async ({ page, folder }) => {
      const before = readAll(folder, ['mcpgen.surface.json', 'mcpgen.overlay.yaml']);
      const text = 'The weather of a city, day by day.';
      await write(words(page).getByLabel('Description'), text);
      const dialog = await review(page);
      await dialog.getByText('mcpgen.surface.json').first().waitFor();
      await applyChange(page);
      assert.equal(toolNamed(await generated(folder), 'get_forecast').description, text);
      await undoChange(page);
      assert.deepEqual(readAll(folder, ['mcpgen.surface.json', 'mcpgen.overlay.yaml']), before);
      await dismissNotices(page);
    },
  ],
  [
    'a function is switched off, and back on by undo',
    async ({ page, folder }) => {
      const before = readAll(folder, ['mcpgen.surface.json']);
      await show(page, 'surface');
      await list(page).getByLabel('Serve to_celsius').click();
      await afterDraft(page);
      await review(page);
      await applyChange(page);
      assert.equal(toolNamed(await generated(folder), 'to_celsius'), undefined);
      await undoChange(page);
      assert.deepEqual(readAll(folder, ['mcpgen.surface.json']), before);
      await dismissNotices(page);
    },
  ],
  [
    'a switch that is put back leaves no draft',
    async ({ page }) => {
      await list(page).getByLabel('Serve to_celsius').click();
      await afterDraft(page);
      await list(page).getByLabel('Serve to_celsius').click();
      await page.locator('.draft-bar').waitFor({ state: 'detached' });
    },
  ],
  [
    'a hidden function is served again from those left out',
    async ({ page, folder }) => {
      const before = readAll(folder, ['mcpgen.surface.json']);
      await list(page).getByLabel('Serve to_celsius').click();
      await afterDraft(page);
      await review(page);
      await applyChange(page);
      await page.getByText('1 function left out').click();
      await page.locator('.deselected').getByRole('switch', { name: 'to_celsius' }).click();
      assert.equal((await afterDraft(page)).tools, 2);
      await review(page);
      await applyChange(page);
      assert.deepEqual(readAll(folder, ['mcpgen.surface.json']), before);
      assert.ok(toolNamed(await generated(folder), 'to_celsius'));
      await dismissNotices(page);
    },
  ],
  [
    'a function is called',
    async ({ page }) => {
      await show(page, 'try', 'to_celsius');
      await form(page).getByLabel('fahrenheit').fill('50');
      await form(page).getByRole('button', { name: 'Call' }).click();
      await verdict(page).waitFor();
      assert.equal(await verdict(page).textContent(), 'Answered');
    },
  ],
];

/** On a server of a document and functions. */
export const mixedChecks = [
  [
    'operations and functions are listed together',
    async ({ page }) => {
      await show(page, 'surface');
      await list(page).getByText('shop_listPets', { exact: true }).waitFor();
      await list(page).getByText('get_forecast', { exact: true }).waitFor();
    },
  ],
  [
    'words of both go to mcpgen.surface.json, are made by `generate`, and undone',
    async ({ page, folder }) => {
      const files = ['mcpgen.surface.json', 'mcpgen.overlay.yaml'];
      const before = readAll(folder, files);
      for (const name of ['shop_listPets', 'get_forecast']) {
        await show(page, 'tool', name);
        await write(words(page).getByLabel('Title'), `Title of ${name}`);
        const dialog = await review(page);
        await dialog.getByText('mcpgen.surface.json').first().waitFor();
        await applyChange(page);
        assert.equal(toolNamed(await generated(folder), name).title, `Title of ${name}`);
        await undoChange(page);
        assert.deepEqual(readAll(folder, files), before);
      }
      await dismissNotices(page);
    },
  ],
];

/** On a document whose texts are markup and scripts. */
export const hostileChecks = [
  [
    'markup in names and descriptions is text',
    async ({ page }) => {
      await show(page, 'surface');
      await list(page).locator('.row').nth(1).waitFor();
      assert.equal(await intruders(page), 0);
      assert.match(await list(page).locator('.group').first().textContent(), /<img src=x onerror=/);
    },
  ],
  [
    'markup in the source is text, also where it is listed',
    async ({ page }) => {
      await show(page, 'tool', 'listThings');
      await page.locator('.source .line').first().waitFor();
      assert.match(await page.locator('.source').textContent(), /<script>wasRun=1<\/script>/);
      assert.equal(await intruders(page), 0);
    },
  ],
  [
    'a huge text does not stop the page',
    async ({ page }) => {
      await show(page, 'tool', 'hugeThing');
      await words(page).getByLabel('Description').waitFor();
      await show(page, 'surface');
      assert.ok((await rowNames(page)).length >= 2);
    },
  ],
  [
    'markup in the form and the answer is text',
    async ({ page }) => {
      await show(page, 'try', 'listThings');
      await form(page).locator('.field').first().waitFor();
      await form(page).getByRole('button', { name: 'Call' }).click();
      await verdict(page).waitFor();
      assert.equal(await intruders(page), 0);
    },
  ],
  [
    'markup in findings is text',
    async ({ page }) => {
      await show(page, 'findings');
      await page.getByRole('heading', { level: 1 }).waitFor();
      for (const group of await page.locator('.finding-group:not([open]) > summary').all())
        await group.click();
      assert.equal(await intruders(page), 0);
      assert.equal(await page.evaluate(() => globalThis.wasRun), undefined);
    },
  ],
  [
    'an address that names no tool is said',
    async ({ page }) => {
      await page.evaluate(() => (location.hash = '#/tool/%3Cimg%20src%3Dx%20onerror%3DwasRun%3D1%3E'));
      await page.getByRole('main').getByRole('alert').waitFor();
      assert.equal(await intruders(page), 0);
      await show(page, 'surface');
    },
  ],
];

/** Elements that the page itself never makes. */
function intruders(page) {
  return page.evaluate(
    () =>
      document.querySelectorAll('#page :is(img, script, iframe, b, object, embed, link, base, meta)').length,
  );
}

/** With `--read-only`. */
export const readOnlyChecks = [
  [
    'the page says so, and offers no change',
    async ({ page }) => {
      await page.getByText('read-only', { exact: true }).waitFor();
      await show(page, 'surface');
      assert.equal(await list(page).getByLabel('Serve getPet', { exact: true }).isDisabled(), true);
      await show(page, 'tool', 'getPet');
      assert.equal((await words(page).getByLabel('Title').getAttribute('readonly')) !== null, true);
    },
  ],
  [
    'the server writes nothing either',
    async ({ page, folder }) => {
      const before = readAll(folder, ['mcpgen.surface.json', 'mcpgen.overlay.yaml']);
      const status = await page.evaluate(async () => {
        const authorization = `Bearer ${sessionStorage.getItem('mcpgen-preview')}`;
        const post = (path, body) =>
          fetch(path, {
            method: 'POST',
            headers: { 'content-type': 'application/json', authorization },
            body: JSON.stringify(body),
          });
        const proposed = await post('/api/propose', { edits: [{ kind: 'surface', surface: 'search' }] });
        const { id } = await proposed.json();
        return (await post('/api/apply', { proposal: id })).status;
      });
      assert.equal(status, 403);
      assert.deepEqual(readAll(folder, ['mcpgen.surface.json', 'mcpgen.overlay.yaml']), before);
    },
  ],
];

/** A document without a project: the files are made in its folder. */
export const looseChecks = [
  [
    'files are made beside the document, and `inspect` of that folder has the same surface',
    async ({ page, folder }) => {
      await show(page, 'surface');
      await page
        .getByRole('region', { name: 'Settings' })
        .getByRole('switch', { name: 'store', exact: true })
        .click();
      await afterDraft(page);
      const dialog = await review(page);
      await dialog.getByText('new file').first().waitFor();
      await applyChange(page);
      await page.locator('.list-foot', { hasText: /^12 tools/ }).waitFor();
      const ended = await mcpgen(['inspect', 'petstore.yaml', '--json'], { cwd: folder });
      assert.equal(JSON.parse(ended.stdout).tools.length, 12);
      await undoChange(page);
      assert.deepEqual(readAll(folder, ['mcpgen.surface.json', 'mcpgen.overlay.yaml']), [
        undefined,
        undefined,
      ]);
    },
  ],
  [
    'a draft is dropped',
    async ({ page }) => {
      await page
        .getByRole('region', { name: 'Settings' })
        .getByRole('switch', { name: 'store', exact: true })
        .click();
      await discard(page);
    },
  ],
];
