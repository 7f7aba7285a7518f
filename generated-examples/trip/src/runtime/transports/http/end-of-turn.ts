let ending: Promise<void> | undefined;

/**
 * Resolves when this turn of the event loop has read what there was to read. Answers that then leave one behind the
 * other wake the one who reads them once; to wake it for each costs more than all the rest of a quick call.
 */
export function endOfTurn(): Promise<void> {
  return (ending ??= new Promise((resolve) => {
    setImmediate(() => {
      ending = undefined;
      resolve();
    });
  }));
}
