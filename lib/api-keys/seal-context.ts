/** What a sealed value of an API key's row is bound to: its column and its row. */
export function sealContext(column: 'key' | 'secret', uuid: string): string {
  return `api_key.${column}:${uuid}`;
}
