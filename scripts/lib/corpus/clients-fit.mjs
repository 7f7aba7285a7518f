/** What `--for <client>` lists is what that client takes, or a warning of the compiler says what is not. */
import { compile } from '../../../dist/src/api/compile.js';
import { printCatalog } from '../../../dist/src/emit/data-files.js';
import { CatalogStore } from '../../../dist/templates/runtime/core/catalog-store.js';
import { SUBSET_NAMES, unreportedFaults } from './client-subsets.mjs';

const WARNINGS = ['client-not-fitted', 'client-takes-fewer-tools'];

/** @returns {Promise<string[]>} what is refused without a warning */
export async function judgeClients(file) {
  const faults = [];
  for (const client of SUBSET_NAMES) {
    const { model, diagnostics } = await compile({ source: file, for: [client] });
    if (model === undefined) continue;
    const reported = diagnostics.filter(({ name }) => WARNINGS.includes(name)).map(({ message }) => message);
    const tools = new CatalogStore(printCatalog(model)).items('tools');
    const found = unreportedFaults(client, { server: model.name, tools, reported });
    faults.push(...found.map((fault) => `${client} ${fault}`));
  }
  return faults;
}
