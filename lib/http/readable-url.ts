/**
 * A request's path and query as they are, or, when the path's percent signs spell no UTF-8 text ("/%E0%A4%A"), a path
 * that does not exist: Next would answer such a request with a bare 500.
 */
export function readableUrl(url: string): string {
  const [path = ''] = url.split('?', 1);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.startsWith('/api/') ? '/api/-' : '/-';
  }
}
