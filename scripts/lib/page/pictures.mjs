/** Pictures of the page, for the documentation. */
import { show } from './actions.mjs';

const SETTLED = 500;

/** By the suite whose source they show. */
export const PICTURES = [
  {
    suite: 'shop',
    pictures: [
      { name: 'preview-surface', view: 'surface' },
      { name: 'preview-tool', view: 'tool', tool: 'search_products' },
    ],
  },
];

/** Takes each in light and dark. */
export async function takePictures(page, folder, pictures) {
  const sizes = [];
  for (const { name, view, tool, prepare } of pictures)
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await show(page, view, tool);
      await prepare?.(page);
      await page.waitForTimeout(SETTLED);
      const file = `${folder}/${name}-${colorScheme}.png`;
      const bytes = await page.screenshot({ path: file });
      sizes.push({ file, kilobytes: Math.ceil(bytes.length / 1024) });
    }
  return sizes;
}
