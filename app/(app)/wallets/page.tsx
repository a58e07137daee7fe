import type { Metadata } from 'next';
import { WalletsScreen } from '@/components/wallets/wallets-screen';

export const metadata: Metadata = { title: 'I miei Wallet' };

export default function WalletsPage() {
  return <WalletsScreen />;
}
