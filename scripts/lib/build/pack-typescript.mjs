/** What the command needs of ts-morph, so that it loads no more of it: all of it takes a tenth of a compilation. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { minify } from 'rolldown/utils';

const morph = createRequire(fileURLToPath(import.meta.resolve('ts-morph')));
const common = createRequire(morph.resolve('@ts-morph/common'));

/** Writes the language's own declarations into `folder`, each a file: ts-morph has all of them in one module. */
export function packLanguage(folder) {
  mkdirSync(folder, { recursive: true });
  for (const { fileName, text } of morph('@ts-morph/common').getLibFiles())
    writeFileSync(`${folder}/${fileName}`, text);
}

/** TypeScript's compiler as a CommonJS module, in two fifths of its length, its licence at the head. */
export async function shortTypeScript() {
  const file = common.resolve('./typescript.js');
  const source = readFileSync(file, 'utf8');
  const [licence] = /^\/\*![^]*?\*\//.exec(source) ?? [];
  if (licence === undefined) throw new Error(`no licence at the head of ${file}`);
  const { code, errors } = await minify('typescript.cjs', source);
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return `${licence}\n${code}`;
}
