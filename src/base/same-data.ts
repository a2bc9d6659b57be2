/** Whether two values are the same data: equal, or lists or plain objects of the same data, whatever the order of their members. */
export function isSameData(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const [members, others] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  return (
    members.size === others.size &&
    [...members].every(([name, value]) => others.has(name) && isSameData(value, others.get(name)))
  );
}
