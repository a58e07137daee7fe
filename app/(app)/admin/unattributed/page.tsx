import type { Metadata } from 'next';
import { UnattributedScreen } from '@/components/unattributed/unattributed-screen';

export const metadata: Metadata = { title: 'Fondi non attribuiti' };

export default function UnattributedPage() {
  return <UnattributedScreen />;
}
