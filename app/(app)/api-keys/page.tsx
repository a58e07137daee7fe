import type { Metadata } from 'next';
import { ApiKeysScreen } from '@/components/api-keys/api-keys-screen';

export const metadata: Metadata = { title: 'API Keys' };

export default function ApiKeysPage() {
  return <ApiKeysScreen />;
}
