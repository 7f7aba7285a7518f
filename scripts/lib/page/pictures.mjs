/** Pictures of the page, for the documentation. */
import { show } from './actions.mjs';

const SETTLED = 500;

/** Wide enough for three columns, and small on disk. */
const SIZE = { width: 1190, height: 560 };

/** By the suite whose source they show. */
export const PICTURES = [
  {
    suite: 'shop',
    pictures: [
      { name: 'preview-surface', view: 'surface', ready: '.map-tool' },
      { name: 'preview-tool', view: 'tool', tool: 'search_products', ready: '.source .line' },
    ],
  },
];

/** Takes each in light and dark. */
export async function takePictures(page, folder, pictures) {
  const sizes = [];
  await page.setViewportSize(SIZE);
  for (const { name, view, tool, ready } of pictures)
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await show(page, view, tool);
      await page.locator(ready).first().waitFor();
      await page.waitForTimeout(SETTLED);
      const file = `${folder}/${name}-${colorScheme}.png`;
      const bytes = await page.screenshot({ path: file });
      sizes.push({ file, kilobytes: Math.ceil(bytes.length / 1024) });
    }
  return sizes;
}
