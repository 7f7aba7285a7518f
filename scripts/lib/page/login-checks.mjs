/** The page of a login, clicked through: from its address, by the authorization server, to its end. */
import assert from 'node:assert/strict';

import { openLogin } from '../attack/login-server.mjs';
import { withTempFolder } from '../temp.mjs';
import { openPage } from './browser.mjs';
import { judgeLooks } from './looks-checks.mjs';

/** Of the text. */
const COLOURS = { light: 'rgb(0, 0, 0)', dark: 'rgb(255, 255, 255)' };

/** Beside any preview. */
export const loginChecks = Object.fromEntries(
  Object.entries(COLOURS).map(([scheme, colour]) => [
    `a person signs in, ${scheme}`,
    ({ context: preview }) =>
      withTempFolder('login', async (folder) => {
        const target = await openLogin(folder);
        const { context, page, faults } = await openPage(preview.browser(), 'http://127.0.0.1:', scheme);
        const look = async (title) => {
          await page.getByRole('heading', { name: title }).waitFor();
          assert.equal(await page.evaluate(() => getComputedStyle(document.body).color), colour);
          assert.deepEqual(await judgeLooks(page), [], title);
        };
        try {
          const server = await target.start();
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
          await context.close();
          await target.close();
        }
      }),
  ]),
);
