/** Loaded before Directus: `isolated-vm`, which runs scripts of flows, is native code that would have to be compiled. */
import { registerHooks } from 'node:module';

registerHooks({
  load: (url, context, next) =>
    url.endsWith('/isolated-vm/isolated-vm.js')
      ? { format: 'commonjs', source: 'module.exports = {};', shortCircuit: true }
      : next(url, context),
});
