/** Aborted when the process is asked to stop. A second time, it stops at once. */
export function stopSignal(host: NodeJS.Process): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    host.on(signal, () => {
      if (controller.signal.aborted) host.exit(1);
      controller.abort();
    });
  }
  return controller.signal;
}
