/** Next demands a root layout, also of an application that has one route and no page. */
export default function Layout({ children }) {
  return children;
}
