import { THEME_KEY } from '@/lib/client/theme-key';

/** The pay page follows the customer's system; the choice of a merchant who opens it in the same browser is not his. */
const SCRIPT = `try{const t=localStorage.getItem(${JSON.stringify(THEME_KEY)});if((t==='light'||t==='dark')&&!location.pathname.startsWith('/pay/'))document.documentElement.dataset.theme=t}catch{}`;

/** Sets the chosen theme before the first paint. */
export function ThemeScript({ nonce }: { nonce: string | undefined }) {
  // The browser hides the nonce from scripts, so React finds an empty one when it hydrates.
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant text of ours
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: SCRIPT }} />;
}
