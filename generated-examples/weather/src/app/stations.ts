/** A place where weather is measured. */
export interface Station {
  id: number;
  name: string;
}

/** Every station. @resource weather://stations @audience user assistant @priority 0.5 */
export const stations = (): Station[] => [{ id: 1, name: 'Jungfraujoch' }];

/** One station. @resource weather://stations/{id}{?unit} */
export function station({ id }: { id: number; unit?: 'C' | 'F' }): Station | undefined {
  return stations().find((each) => each.id === id);
}

/** The logo. @resource weather://logo @mimeType image/png */
export function logo(): Uint8Array {
  return Uint8Array.of(137, 80, 78, 71);
}

/** The logo, as a tool. @tool draw_logo @mimeType image/png */
export function drawLogo(): Uint8Array {
  return logo();
}

/** Plans a trip. @prompt plan_trip */
export function planTrip(city: string, season: 'summer' | 'winter', days = 2): string {
  return `Plan ${days} days in ${city}, in ${season}.`;
}

/** @complete plan_trip.city */
export function cities(typed: string): string[] {
  return ['Bern', 'Berlin', 'Oslo'].filter((city) => city.startsWith(typed));
}
