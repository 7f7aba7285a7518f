import type { ServerModel } from '../model/server-model.ts';
import type { EmitOptions } from './emit-options.ts';
import { printBindings } from './data/print-bindings.ts';
import { printCatalog } from './data/print-catalog.ts';
import { printMock } from './data/print-mock.ts';
import { printWire } from './data/print-wire.ts';
import { wireCalls } from './wire/wire-calls.ts';
import { printJson } from './print-json.ts';
import type { GeneratedFile } from './generated-file.ts';

/** The files that are pure data: no template, one stable serializer. */
export async function emitData(model: ServerModel, { config }: EmitOptions): Promise<GeneratedFile[]> {
  return [
    generated('src/generated/catalog.json', printCatalog(model)),
    generated('src/generated/bindings.json', printBindings(model)),
    ...(model.mock === undefined ? [] : [generated('src/generated/mock.json', printMock(model.mock))]),
    ...(model.upstream === undefined ? [] : [generated('test/wire.json', printWire(await wireCalls(model)))]),
    generated('mcpgen.config.json', typeof config === 'string' ? config : `${printJson(config)}\n`),
  ];
}

function generated(path: string, contents: string): GeneratedFile {
  return { path, contents, ownership: 'generated' };
}
