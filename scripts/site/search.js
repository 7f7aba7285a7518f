// The search of the documentation: runs in the browser, and asks no server.
const { MiniSearch, searchIndex, document } = globalThis;
const { up } = document.currentScript.dataset;
const index = MiniSearch.loadJS(searchIndex, { fields: ['title', 'text'], storeFields: ['title', 'page'] });
const list = document.querySelector('#found');
const MOST = 12;

document.querySelector('#search').addEventListener('input', ({ target }) => {
  const hits = index.search(target.value, { prefix: true, fuzzy: 0.1, boost: { title: 3 } }).slice(0, MOST);
  const items = hits.map(({ title, page }) => {
    const link = document.createElement('a');
    link.href = up + page;
    link.textContent = `${title} (${page.replace(/\.html.*/, '')})`;
    const item = document.createElement('li');
    item.append(link);
    return item;
  });
  list.replaceChildren(...items);
});
