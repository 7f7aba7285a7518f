/** When what an issuer or the project's own code says is good no more. */

/** The last second of the year 9999, since 1970: what is later was meant in milliseconds. */
const LATEST_SECONDS = 253_402_300_799;

/** Whether it is a time in seconds since 1970 that can have been meant. */
export function isExpiry(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value <= LATEST_SECONDS;
}
