/** Chromium, as the system has it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The program, `CHROMIUM` first. */
export function findChromium() {
  const named = process.env.CHROMIUM;
  const onPath = (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, 'chromium'));
  return [named, ...PLACES, ...onPath].find((file) => file !== undefined && existsSync(file));
}

/** Containers run as root, where Chromium has no sandbox. */
export function launch(executablePath) {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args });
}

/**
 * A page that records what should not happen: errors, violations of the content security policy, requests to
 * elsewhere.
 */
export async function openPage(browser, origin, colorScheme = 'light') {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    // A refused request is the subject of a check.
    if (message.type() === 'error' && !text.startsWith('Failed to load resource'))
      faults.push(`console: ${text}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !/^(data|blob):/.test(request.url()))
      faults.push(`request to ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    faults.push(`a script opened a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { context, page, faults };
}
