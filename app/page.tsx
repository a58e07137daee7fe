import { HomeRedirect } from '@/components/layout/home-redirect';

export default function HomePage() {
  return <HomeRedirect />;
}
