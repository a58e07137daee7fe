import { redirect } from 'next/navigation';
import { CREATE_WALLETS_ID } from '@/components/wallets/create-wallets-id';

/** Leads to the section of /wallets that creates wallets. */
export default function CreateWalletPage() {
  redirect(`/wallets#${CREATE_WALLETS_ID}`);
}
