/** The page of a login, clicked through: from its address, by the authorization server, to its end. */
import assert from 'node:assert/strict';

import { openLogin } from '../attack/login-server.mjs';
import { show } from './actions.mjs';
import { openPage } from './browser.mjs';
import { judgeLooks } from './looks-checks.mjs';

/** The preview of a project that people sign in to. */
export async function openSignIn(folder) {
  const target = await openLogin(folder);
  const env = { OAUTH_CLIENT_ID_ACCOUNT: 'the-client', XDG_STATE_HOME: folder };
  return { args: [target.project], env, context: { target }, close: target.close };
}

/** Of the text. */
const COLOURS = { light: 'rgb(0, 0, 0)', dark: 'rgb(255, 255, 255)' };

const checksOfPage = Object.entries(COLOURS).map(([scheme, colour]) => [
  `a person signs in, ${scheme}`,
  async ({ context: preview, target }) => {
    const { context, page, faults } = await openPage(preview.browser(), 'http://127.0.0.1:', scheme);
    const look = async (title) => {
      await page.getByRole('heading', { name: title }).waitFor();
      assert.equal(await page.evaluate(() => getComputedStyle(document.body).color), colour);
      assert.deepEqual(await judgeLooks(page), [], title);
    };
    const server = await target.start();
    try {
      await page.goto(await server.begin());
      await look('Sign in for Person');
      await page.getByText('It asks for these scopes: notes:read.').waitFor();
      await page.getByRole('link').click();
      // The address of our page stays here.
      await page.getByText('From nowhere').waitFor();
      await page.getByRole('link', { name: 'Agree' }).click();
      await look('You are signed in');
      assert.equal((await server.call()).isError, false);
      assert.deepEqual(faults, []);
    } finally {
      server.end();
      await context.close();
    }
  },
]);

export const loginChecks = {
  ...Object.fromEntries(checksOfPage),
  'a call that is tried offers to sign in': async ({ page, context }) => {
    await show(page, 'try', 'listNotes');
    await page.getByRole('radiogroup', { name: 'Target' }).getByText('API').click();
    const call = page
      .getByRole('region', { name: 'Call', exact: true })
      .getByRole('button', { name: 'Call' });
    await call.click();
    const opening = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Sign in' }).click();
    const tab = await opening;
    await tab.getByRole('link').click();
    await tab.getByRole('link', { name: 'Agree' }).click();
    await tab.getByText('You are signed in').first().waitFor();
    await tab.close();
    await call.click();
    await page.getByText('Answered').waitFor();
  },
};
