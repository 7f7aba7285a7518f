/**
 * How to plan a trip with the tools of this server.
 * @prompt plan_trip
 */
export function planTrip(city: string, nights = 2): string {
  return `Plan a trip by rail to ${city} for ${nights} nights: find a connection, then a room within the nightly budget.`;
}

/** @complete plan_trip.city */
export function cities(prefix: string): string[] {
  return ['Basel', 'Bern', 'Geneva', 'Zurich'].filter((city) =>
    city.toLowerCase().startsWith(prefix.toLowerCase()),
  );
}

/** What to pack. @resource trip://packing/{season} @mimeType text/plain */
export function packing(season: 'summer' | 'winter'): string {
  return season === 'winter' ? 'Coat, gloves, boots' : 'Hat, sun cream, sandals';
}
