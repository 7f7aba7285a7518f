/** Accessibility and colours. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { discard, review, show, VIEWS } from './actions.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const SETTLED = 400;

/** On petstore. */
export const looksChecks = {
  'axe finds nothing serious in any view, on a desk and on a phone, in light and dark': async ({ page }) => {
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      for (const theme of ['light', 'dark'])
        for (const [view, tool] of VIEWS) {
          await page.emulateMedia({ colorScheme: theme });
          await show(page, view, tool);
          await page.waitForTimeout(SETTLED);
          assert.deepEqual(await judgeLooks(page), [], `${view}, ${theme}, ${width} px`);
        }
    }
  },
  'axe finds nothing serious in a dialog': async ({ page }) => {
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    assert.deepEqual(await judgeLooks(page), []);
    await page.keyboard.press('Escape');
  },
  'axe finds nothing serious in the diff of a change, in light and dark': async ({ page }) => {
    await show(page, 'surface');
    await page
      .getByRole('region', { name: 'Settings' })
      .getByRole('switch', { name: 'orders', exact: true })
      .click();
    const dialog = await review(page);
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(SETTLED);
      assert.deepEqual(await judgeLooks(page), [], colorScheme);
    }
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await discard(page);
  },
  'the switch of colours wins over the system and is kept': async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    const button = page.getByRole('button', { name: /^Colours/ });
    await button.click();
    await button.click();
    const dark = await ground();
    assert.notEqual(dark, light);
    await page.reload();
    await button.waitFor();
    assert.equal(await ground(), dark);
    await button.click();
    assert.equal(await ground(), light);
  },
};

export async function judgeLooks(page) {
  // The policy of the page forbids scripts of others, so this one is run from outside.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`)
          .slice(0, 3)
          .join(' | ')}`,
    );
}
