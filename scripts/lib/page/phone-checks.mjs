/** A phone: 390 px and fingers. */
import assert from 'node:assert/strict';

import { show, VIEWS } from './actions.mjs';

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };
/** In CSS pixels. */
const LEAST_WIDTH = 300;
const FINGER = 44;
const SETTLED = 400;

async function showOnPhone(page, use) {
  await page.setViewportSize(PHONE);
  try {
    await use();
  } finally {
    await page.setViewportSize(DESK);
  }
}

export async function assertOneColumn(page, message) {
  await page.waitForTimeout(SETTLED);
  assert.deepEqual(await page.evaluate(findNarrow, LEAST_WIDTH), [], message);
}

/** On petstore. */
export const phoneChecks = {
  'each view is one column, nothing narrower than 300 px, nothing scrolled sideways': ({ page }) =>
    showOnPhone(page, async () => {
      for (const [view, tool] of VIEWS) {
        await show(page, view, tool);
        await assertOneColumn(page, view);
      }
    }),
  'an answer and its requests are as wide, and the form is whole': ({ page }) =>
    showOnPhone(page, async () => {
      await show(page, 'try', 'createPet');
      const form = page.getByRole('region', { name: 'Arguments' });
      await form.locator('.field').first().waitFor();
      const { clientHeight, scrollHeight } = await form.evaluate((element) => ({
        clientHeight: element.clientHeight,
        scrollHeight: element.scrollHeight,
      }));
      assert.ok(clientHeight >= scrollHeight, `${clientHeight} of ${scrollHeight} px of the form`);
      await page.getByRole('button', { name: 'Call', exact: true }).click();
      await page.locator('.verdict').waitFor();
      const tabs = page.getByRole('radiogroup', { name: 'Answer' }).locator('label');
      for (const tab of await tabs.all()) {
        await tab.click();
        await assertOneColumn(page, await tab.textContent());
      }
    }),
  'the dialog of a change is as wide': ({ page }) =>
    showOnPhone(page, async () => {
      await show(page, 'surface');
      await page.getByRole('switch', { name: 'orders', exact: true }).click();
      await page.getByRole('button', { name: 'Review …' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.locator('.diff').waitFor();
      await assertOneColumn(page);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Discard' }).click();
    }),
  'with fingers, each target has 44 px': async ({ page, context }) => {
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    try {
      for (const size of [PHONE, DESK]) {
        await page.setViewportSize(size);
        await page.reload();
        assert.ok(await page.evaluate(() => matchMedia('(pointer: coarse)').matches));
        for (const [view, tool] of VIEWS) {
          await show(page, view, tool);
          await page.waitForTimeout(SETTLED);
          assert.deepEqual(await page.evaluate(findSmall, FINGER), [], `${view}, ${size.width} px`);
        }
      }
    } finally {
      await session.send('Emulation.setTouchEmulationEnabled', { enabled: false });
      await session.detach();
      await page.setViewportSize(DESK);
      await page.reload();
    }
  },
};

/** Runs in the page: columns and controls that are too narrow, and what is cut off or scrolls sideways. */
function findNarrow(least) {
  const tell = (element, fault) =>
    `${element.tagName.toLowerCase()}.${element.className} ${element.getAttribute('aria-label') ?? ''}: ${fault}`;
  const isSeen = (element) => element.checkVisibility() && !element.closest('.hidden, .skip');
  const widthOf = (element) => Math.round(element.getBoundingClientRect().width);
  const columns =
    '.pane, .finding, .side-by-side > *, pre, [role=region], textarea, select, input:not([type=checkbox], [type=radio], [type=file])';
  const all = [...document.querySelectorAll('#page *')].filter(isSeen);
  return [
    ...all
      .filter((element) => element.matches(columns) && widthOf(element) < least)
      .map((element) => tell(element, `${widthOf(element)} px wide`)),
    ...[document.documentElement, ...all]
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowX) || element.matches('html'))
      .map((element) => tell(element, `${element.scrollWidth} px in ${element.clientWidth} px`)),
    ...all
      .filter((element) => element.matches('button, label, a'))
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .map((element) => tell(element, 'cut off')),
  ].slice(0, 6);
}

/** Runs in the page: targets that are too small. Links within a sentence are exempt (WCAG 2.5.5). */
function findSmall(least) {
  const targets = [...document.querySelectorAll('#page :is(a, button, summary, select, textarea, input)')]
    .filter((element) => element.checkVisibility() && !element.closest('.skip'))
    .map((element) =>
      element.matches('[type=checkbox], [type=radio], [type=file]') ? element.closest('label') : element,
    );
  return [...new Set(targets)]
    .filter((element) => {
      const { width, height } = element.getBoundingClientRect();
      return Math.round(width) < least || Math.round(height) < least;
    })
    .filter(
      (element) =>
        !element.matches('a') ||
        !element.parentElement.matches('p:not(.finding-actions)') ||
        element.parentElement.textContent.trim() === element.textContent.trim(),
    )
    .map((element) => {
      const { width, height } = element.getBoundingClientRect();
      return `${element.tagName.toLowerCase()}.${element.className} ${element.textContent.slice(0, 30)}: ${Math.round(width)} × ${Math.round(height)}`;
    })
    .slice(0, 6);
}
