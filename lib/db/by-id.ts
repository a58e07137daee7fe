/** Which column a path id names: every `{id}` is the number or the uuid of its row. */
export function idColumn(id: string): 'id' | 'uuid' {
  return /^\d+$/.test(id) ? 'id' : 'uuid';
}
