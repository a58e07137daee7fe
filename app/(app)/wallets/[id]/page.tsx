import type { Metadata } from 'next';
import { WalletScreen } from '@/components/wallets/wallet-screen';

export const metadata: Metadata = { title: 'Wallet' };

export default async function WalletPage({ params }: { params: Promise<{ id: string }> }) {
  return <WalletScreen id={(await params).id} />;
}
