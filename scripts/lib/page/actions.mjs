/** What the checks do with the page, in its own words. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { mcpgenOrThrow } from '../run.mjs';

const VIEW_NAMES = { surface: 'Surface', tool: 'Tool', try: 'Try', diff: 'Diff', findings: 'Findings' };

/** Each view, and what is shown in it, of petstore. */
export const VIEWS = [
  ['surface', undefined],
  ['tool', 'createPet'],
  ['tool', 'tag:pets'],
  ['try', 'createPet'],
  ['diff', undefined],
  ['findings', undefined],
];

/** Shows a view, of a tool where one is named. */
export async function show(page, view, tool) {
  const hash = tool === undefined ? `#/${view}` : `#/${view}/${encodeURIComponent(tool)}`;
  await page.evaluate((to) => (location.hash = to), hash);
  await page.getByRole('main', { name: VIEW_NAMES[view] }).waitFor();
  if (tool !== undefined) await page.getByText(tool.replace(/^tag:/, ''), { exact: true }).first().waitFor();
}

export const list = (page) => page.getByRole('grid', { name: 'Tools' });

export const filterField = (page) => page.getByRole('searchbox', { name: 'Filter tools' });

/** Types a filter and waits until the count follows. */
export async function filterBy(page, words, foot) {
  await filterField(page).fill(words);
  await page.locator('.list-foot', { hasText: foot }).waitFor();
}

/** The names in the list that are in sight. */
export function rowNames(page) {
  return list(page).locator('.row:not(.group) .cell-name code').allTextContents();
}

export const draftBar = (page) => page.locator('.draft-bar');

/** Waits for what the draft would make. */
export async function afterDraft(page) {
  const text = await draftBar(page).locator('.after-tools').textContent();
  const tokens = await draftBar(page).locator('.after-tokens').textContent();
  return { tools: readCount(text), tokens: readCount(tokens) };
}

export function readCount(text) {
  return Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', ''));
}

/** Takes a draft or an edit back. */
export async function discard(page) {
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' });
}

/** Opens the dialog with what would be written. */
export async function review(page) {
  await page.getByRole('button', { name: 'Review …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  return dialog;
}

/** Writes what the dialog shows, and waits for the page to follow. */
export async function applyChange(page) {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.locator('.notice', { hasText: 'Written' }).last().waitFor();
}

/** Fills a field in; again if the page followed the source meanwhile. */
export async function write(field, text) {
  const isWritten = async () => {
    await field.fill(text);
    await new Promise((resolve) => setTimeout(resolve, 150));
    return (await field.inputValue()) === text;
  };
  await eventually(isWritten, `the field does not keep ${text}`);
}

export async function undoChange(page) {
  await dismissNotices(page);
  await page.getByRole('banner').getByRole('button', { name: 'Undo' }).click();
  await page.locator('.notice', { hasText: 'Undone' }).last().waitFor();
}

/** Dismisses all at once: each also leaves on its own after some seconds, perhaps under the pointer. */
export async function dismissNotices(page) {
  const clickAll = (buttons) => buttons.forEach((button) => button.click());
  await page.locator('.notice').getByRole('button', { name: 'Dismiss' }).evaluateAll(clickAll);
  await page.locator('.notice').first().waitFor({ state: 'detached' });
}

/** What the compiler makes of the project's files, apart from the page. */
export async function generated(folder, ...flags) {
  await mcpgenOrThrow(['generate', '--force', ...flags], { cwd: folder });
  return JSON.parse(readFileSync(path.join(folder, 'mcp-server/src/generated/catalog.json'), 'utf8'));
}

export function toolNamed(catalog, name) {
  return catalog.tools.find((tool) => tool.name === name);
}

/** The bytes of the file that the page writes, to compare them after an undo. */
export function readConfig(folder) {
  return readFileSync(path.join(folder, 'mcpgen.config.json'), 'utf8');
}

/** Waits until a condition holds, since the page follows the disk by its own clock. */
export async function eventually(holds, what, patience = 10_000) {
  const end = Date.now() + patience;
  for (;;) {
    if (await holds()) return;
    assert.ok(Date.now() < end, what);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const SETTLED = 500;

/** Wide enough for three columns, and small on disk. */
const SIZE = { width: 1190, height: 560 };

const PICTURES = [
  { name: 'preview-surface', view: 'surface', ready: '.map-tool' },
  { name: 'preview-tool', view: 'tool', tool: 'search_products', ready: '.source .line' },
];

/** Takes each in light and dark. */
export async function takePictures(page, folder) {
  await page.setViewportSize(SIZE);
  await page.getByRole('button', { name: 'Got it' }).click();
  for (const { name, view, tool, ready } of PICTURES)
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await show(page, view, tool);
      await page.locator(ready).first().waitFor();
      await page.waitForTimeout(SETTLED);
      await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png` });
    }
}
