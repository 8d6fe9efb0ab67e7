/** Returns the ids in a location such as `1000/2000`. */
export function locationOf(location: string): { companyId: number; entityId: number } {
  const [companyId = 0, entityId = 0] = location.split('/').map(Number);
  return { companyId, entityId };
}

export function locationName(companyId: number, entityId: number): string {
  return `${companyId}/${entityId}`;
}
