import type { JsonObject } from '../../templates/runtime/contract/json-schema.ts';
import type { ServerModel } from '../model/server-model.ts';
import { CONFIG_PATH, type EmitOptions } from './emit-options.ts';
import { printBindings } from './data/print-bindings.ts';
import { printCatalog } from './data/print-catalog.ts';
import { printFeatures } from './data/print-features.ts';
import { chooseFeatures } from './features.ts';
import { hasApi } from './has-api.ts';
import { hashJsonLines } from './hash.ts';
import { hasMock, printMock } from './data/print-mock.ts';
import { printWire } from './data/print-wire.ts';
import { wireCalls } from './wire/wire-calls.ts';
import { printJson } from './print-json.ts';
import type { GeneratedFile } from './generated-file.ts';

/** The files that are pure data: no template, one stable serializer. */
export async function emitData(model: ServerModel, options: EmitOptions): Promise<GeneratedFile[]> {
  const { config, configOwnership = 'generated' } = options;
  const features = new Set(chooseFeatures(model, options).map(({ name }) => name));
  return [
    inLines('src/generated/catalog.json', printCatalog(model)),
    inLines('src/generated/bindings.json', printBindings(model)),
    inLines('src/generated/features.json', printFeatures(features)),
    ...(hasMock(model) ? [inLines('src/generated/mock.json', printMock(model))] : []),
    ...(!hasApi(model) ? [] : [inLines('test/wire.json', printWire(await wireCalls(model)))]),
    ...(config === undefined
      ? []
      : [{ ...generated(CONFIG_PATH, configText(config)), ownership: configOwnership }]),
  ];
}

/** As its user has written it, or as it is printed. */
function configText(config: JsonObject | string): string {
  return typeof config === 'string' ? config : `${printJson(config)}\n`;
}

/** See `print-lines.ts`. */
function inLines(path: string, contents: string): GeneratedFile {
  return { ...generated(path, contents), hash: hashJsonLines(contents) };
}

function generated(path: string, contents: string): GeneratedFile {
  return { path, contents, ownership: 'generated' };
}
