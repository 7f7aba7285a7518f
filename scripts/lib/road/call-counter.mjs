/** Preloaded into a server: sends to its parent which functions ran since the last message from there. */
import { Session } from 'node:inspector';

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
process.on('message', () => {
  session.post('Profiler.takePreciseCoverage', (error, taken) => process.send(error ?? taken.result));
});
process.channel.unref();
