/** The program of the thread that judges a large document. */
import { parentPort, workerData } from 'node:worker_threads';
import { validateDocument } from './validate-document.ts';

const { text, file } = workerData as { text: string; file: string };

parentPort?.postMessage(await validateDocument(text, file));
