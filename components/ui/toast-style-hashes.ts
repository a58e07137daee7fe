/**
 * The toast library puts a `<style>` element into the page by itself, first empty, then with its text. Our policy
 * allows no inline style without a nonce, so these two texts are allowed by their SHA-256. The test beside this file
 * computes them from the installed version.
 */
export const TOAST_STYLE_HASHES = [
  'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY=',
] as const;
