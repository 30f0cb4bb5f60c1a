/** Returns the name of the pod of a unit: the only one of its StatefulSet. */
export function podOf(unit: string): string {
  return `${unit}-0`;
}
