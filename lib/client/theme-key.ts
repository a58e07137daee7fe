/** Local storage key of the chosen theme: "light" or "dark"; absent means that the system decides. */
export const THEME_KEY = 'theme';
